import { ACCESS_TOKEN_LIFETIME_SECONDS } from '#access/lifetimes.ts';
import type { StoredSigningKey } from './key-store.ts';

/**
 * UPCOMING: published, signs soon. SIGNING: signs new tokens. VERIFYING: signs no more, its tokens
 * still live. RETIRED: they have all expired. REMOVED: taken out by an operator.
 */
export type SigningKeyState = 'UPCOMING' | 'SIGNING' | 'VERIFYING' | 'RETIRED' | 'REMOVED';

/**
 * A key goes on verifying this much longer than the tokens it signed can live: a process may sign
 * with it for the 2 s that it remembers the key set, and its clock may differ a little.
 */
const MARGIN_MS = 60_000;

/**
 * The state of every key at an instant. Follows from the keys alone, so that no process has to
 * change anything when a key's time comes.
 *
 * @param keys newest first, as the store lists them
 */
export function signingKeyStates<
  Key extends Pick<StoredSigningKey, 'keyId' | 'signsFrom' | 'removedAt'>,
>(keys: readonly Key[], now: Date): { readonly key: Key; readonly state: SigningKeyState }[] {
  let successorSignsFromMs: number | null = null;
  return keys.map((key) => {
    if (key.removedAt !== null) return { key, state: 'REMOVED' };
    if (key.signsFrom > now) return { key, state: 'UPCOMING' };
    const state = stateAfter(successorSignsFromMs, now);
    successorSignsFromMs = key.signsFrom.getTime();
    return { key, state };
  });
}

function stateAfter(successorSignsFromMs: number | null, now: Date): SigningKeyState {
  if (successorSignsFromMs === null) return 'SIGNING';
  const endsAtMs = successorSignsFromMs + ACCESS_TOKEN_LIFETIME_SECONDS * 1_000 + MARGIN_MS;
  return endsAtMs > now.getTime() ? 'VERIFYING' : 'RETIRED';
}
