import { randomBytes } from 'node:crypto';
import { cellMark } from '#lib/cells/cell-mark.ts';
import type { Environment } from '#lib/environment.ts';

/** Shows a person, and a leak scanner, the environment of a secret (contract §3). */
const PREFIXES: Readonly<Record<Environment, string>> = { sandbox: 'sbx_', production: 'prd_' };
const SECRET_BYTES = 32;
/** Names are no secrets; 96 bits keep them unique. */
const NAME_BYTES = 12;

/** A password: the environment's prefix and 256 random bits in `[A-Za-z0-9_-]`. */
export function newSecret(environment: Environment): string {
  return PREFIXES[environment] + randomBytes(SECRET_BYTES).toString('base64url');
}

/** The deployment that made a name or a secret. */
export interface Origin {
  readonly environment: Environment;
  /** `CELL` */
  readonly cell: number;
}

/** An API key: the cell's mark and a secret. A router reads the mark (decision 0062). */
export function newApiKey({ environment, cell }: Origin): string {
  return cellMark(cell) + newSecret(environment);
}

/** Whether a text has the shape of this deployment's API keys; the key may still be wrong. */
export function looksLikeApiKey({ environment, cell }: Origin, text: string): boolean {
  const prefix = cellMark(cell) + PREFIXES[environment];
  return text.startsWith(prefix) && /^[\w-]{43}$/.test(text.slice(prefix.length));
}

/** A secret that signs webhooks: `whsec_` and 256 random bits in standard base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** A username for the token call, easily distinguished from a password; begins with the mark. */
export function newUsername({ environment, cell }: Origin): string {
  return `${cellMark(cell)}${PREFIXES[environment]}user_${randomBytes(NAME_BYTES).toString('hex')}`;
}

/** The username with which the service calls a merchant's webhook listener. */
export function newListenerUsername(environment: Environment): string {
  return `${PREFIXES[environment]}listener_${randomBytes(NAME_BYTES).toString('hex')}`;
}

/** Whether a text has the form of an id that `newMerchantId` makes. */
export function isMerchantId(text: string): boolean {
  return /^mer_[0-9a-f]{24}$/.test(text);
}

export function newMerchantId(): string {
  return `mer_${randomBytes(NAME_BYTES).toString('hex')}`;
}
