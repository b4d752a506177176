import { createHash, randomBytes } from 'node:crypto';

/** 128 bits cannot be guessed (messages §5). */
const TOKEN_BYTES = 16;
const LOCAL_PART = /^b\+([0-9a-f]{32})$/i;

/** The envelope sender of one attempt, and the hash that is stored. */
export function newReturnPath(domain: string): { readonly address: string; readonly hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  return { address: `b+${token}@${domain}`, hash: hashOf(token) };
}

/** The hash of the token in an address of ours; null: it is none. */
export function tokenOf(address: string, domain: string): Buffer | null {
  const at = address.lastIndexOf('@');
  if (address.slice(at + 1).toLowerCase() !== domain) return null;
  const [, token] = LOCAL_PART.exec(address.slice(0, at)) ?? [];
  return token === undefined ? null : hashOf(token.toLowerCase());
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
