import { randomBytes } from 'node:crypto';
import type { Environment } from '#lib/environment.ts';

/** Shows a person, and a leak scanner, the environment of a secret (contract §3). */
const PREFIXES: Readonly<Record<Environment, string>> = { sandbox: 'sbx_', production: 'prd_' };
const SECRET_BYTES = 32;
/** Names are no secrets; 96 bits keep them unique. */
const NAME_BYTES = 12;

/** A password or an API key: the environment's prefix and 256 random bits in `[A-Za-z0-9_-]`. */
export function newSecret(environment: Environment): string {
  return PREFIXES[environment] + randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether a text has the shape of this environment's secrets; the secret may still be wrong. */
export function looksLikeSecret(environment: Environment, text: string): boolean {
  return text.startsWith(PREFIXES[environment]) && /^.{4}[\w-]{43}$/.test(text);
}

/** A secret that signs webhooks: `whsec_` and 256 random bits in standard base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** A username for the token call, easily distinguished from a password. */
export function newUsername(environment: Environment): string {
  return `${PREFIXES[environment]}user_${randomBytes(NAME_BYTES).toString('hex')}`;
}

/** The username with which the service calls a merchant's webhook listener. */
export function newListenerUsername(environment: Environment): string {
  return `${PREFIXES[environment]}listener_${randomBytes(NAME_BYTES).toString('hex')}`;
}

export function newMerchantId(): string {
  return `mer_${randomBytes(NAME_BYTES).toString('hex')}`;
}
