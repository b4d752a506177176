import assert from 'node:assert/strict';
import { ERASED_PAYER } from '#payment-requests/erasure/redact-payer.ts';
import { OUTCOME_NAMES } from '#sandbox/outcomes.ts';
import { decodeText } from './decode-text.ts';

/** Names that drive the simulator (contract §8), and the values of an erased payer. */
const NOBODYS = new Set<string>([...OUTCOME_NAMES, ...Object.values(ERASED_PAYER)]);
const isNobodys = (value: string) => NOBODYS.has(value.split(':')[0] ?? '');

/** Members of calls and answers whose values are the payer's, or secret. */
const PERSONAL = new Set(['name', 'email', 'mobileNumber', 'merchantAccountId']);
const SECRET = new Set(['access_token', 'password', 'secret', 'signingSecret', 'apiKey']);
/** A shorter value may stand in any text by chance. */
const SHORTEST = 6;

/** The payer data and the secrets that passed through a service under test. */
export interface Canaries {
  /** Collects the payer's members of a body, and secrets of an answer. */
  see(body: unknown): void;
  /** Collects a value that only its owner may read, such as a cookie. */
  seeSecret(value: string, name: string): void;
  /** Collects a value of a payer that a person typed. */
  seePayerValue(value: string, name: string): void;
  /**
   * Fails where a text holds a collected value, also an encoded one.
   *
   * @param place names the text in the failure: a log line, the metrics, a problem
   * @param known a text whose payer values the reader has sent; never an excuse for a secret
   */
  assertAbsent(text: string, place: string, known?: string): void;
}

export function collectCanaries(): Canaries {
  const values = new Map<string, { readonly name: string; readonly isPayers: boolean }>();
  const keep = (value: unknown, name: string, isPayers = false) => {
    if (typeof value !== 'string' || value.trim().length < SHORTEST) return;
    if (!isNobodys(value.trim())) values.set(value.trim(), { name, isPayers });
  };

  function see(body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      if (SECRET.has(name)) keep(value, name);
      if (name === 'payer') seePayer(value);
      else see(value);
    }
  }

  function seePayer(payer: unknown): void {
    if (typeof payer !== 'object' || payer === null) return;
    for (const [name, value] of Object.entries(payer)) {
      if (PERSONAL.has(name)) keep(value, `payer.${name}`, true);
    }
  }

  return {
    see,
    seeSecret: (value, name) => keep(value, name),
    seePayerValue(value, name) {
      keep(value, name, true);
      // Addresses of e-mail are stored in small letters.
      if (value.includes('@')) keep(value.toLowerCase(), name, true);
    },
    assertAbsent(text, place, known = '') {
      const [forms, knownForms] = [decodeText(text), decodeText(known)];
      for (const [value, { name, isPayers }] of values) {
        if (isPayers && knownForms.some((form) => form.includes(value))) continue;
        const isShown = forms.some((form) => form.includes(value));
        assert.ok(!isShown, `${place} shows ${name}: ${text.slice(0, 500)}`);
      }
    },
  };
}
