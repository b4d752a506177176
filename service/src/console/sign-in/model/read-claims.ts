import { isMailbox } from '#lib/text-forms.ts';

/** Verified claims about a person, of an ID token or of the user information. */
export type Claims = Readonly<Record<string, unknown>>;

/** The longest subject (OpenID Connect Core §2). */
const LONGEST_SUBJECT = 255;
/** Names stand in the audit log and on pages. */
const LONGEST_NAME = 100;
/** Control characters, and those that turn the direction of text. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * The texts of a claim: a text, a list of texts, or an object whose keys are the texts, as some
 * providers write roles.
 *
 * @param name a name as it stands, or names that dots join, as in `realm_access.roles`
 * @returns null where the claims lack it
 */
export function textsOfClaim(claims: Claims, name: string): string[] | null {
  const value = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'));
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  return isObject(value) ? Object.keys(value) : null;
}

function valueAt(claims: Claims, path: readonly string[]): unknown {
  let value: unknown = claims;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The person's name for pages and the audit log; the subject where the claims have none. */
export function nameOfClaims(claims: Claims, subject: string): string {
  const names = [claims.name, claims.preferred_username, claims.email, subject];
  for (const name of names) {
    const plain = typeof name === 'string' ? name.replace(STEERING, '').trim() : '';
    if (plain !== '') return [...plain].slice(0, LONGEST_NAME).join('');
  }
  return subject;
}

/** The person's address; null: the provider has not verified any, or it is none for a mail. */
export function emailOfClaims({ email, email_verified: isVerified }: Claims): string | null {
  if (isVerified !== true || typeof email !== 'string') return null;
  return isMailbox(email) ? email : null;
}

/** Whether a subject is one of OpenID Connect: up to 255 printable ASCII characters. */
export function isSubject(text: string): boolean {
  return text.length <= LONGEST_SUBJECT && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

/** When the provider last asked the person for a password or a key; null: it does not say. */
export function authenticatedAtOf(claims: Claims): Date | null {
  const seconds = claims.auth_time;
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds <= 0) return null;
  const at = new Date(seconds * 1_000);
  return Number.isNaN(at.getTime()) ? null : at;
}
