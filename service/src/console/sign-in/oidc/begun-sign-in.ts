import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptSecret, encryptSecret } from '#lib/secrets/secret-box.ts';
import type { SignInSecrets } from './identity-provider.ts';

/** A person types a password and a second factor within this time. */
export const SIGN_IN_MINUTES = 15;
const CONTEXT = 'console:sign-in';
/** Three secrets and a path take 2 kB; a longer value is none of ours. */
const LONGEST_COOKIE = 4_096;

/** A sign-in that waits at the identity provider; the browser keeps it, sealed. */
export interface BegunSignIn extends SignInSecrets {
  readonly next: string;
  /** The provider was to ask for a password or a key. */
  readonly isFresh: boolean;
  readonly begunAt: Date;
}

/** Seals a begun sign-in for its cookie: the browser reads and changes nothing in it. */
export function sealSignIn(key: RotatingKey, { begunAt, ...rest }: BegunSignIn): string {
  const text = JSON.stringify({ ...rest, begunAt: begunAt.toISOString() });
  return encryptSecret(key, text, CONTEXT).toString('base64url');
}

/** Opens the cookie of a begun sign-in; null: none of ours, or older than 15 minutes. */
export function openSignIn(
  key: RotatingKey,
  text: string | undefined,
  now: Date,
): BegunSignIn | null {
  if (!text || text.length > LONGEST_COOKIE) return null;
  try {
    const opened = decryptSecret(key, Buffer.from(text, 'base64url'), CONTEXT);
    const begun = JSON.parse(opened) as Omit<BegunSignIn, 'begunAt'> & { begunAt: string };
    const begunAt = new Date(begun.begunAt);
    const ageMs = now.getTime() - begunAt.getTime();
    return ageMs < SIGN_IN_MINUTES * 60_000 ? { ...begun, begunAt } : null;
  } catch {
    return null;
  }
}
