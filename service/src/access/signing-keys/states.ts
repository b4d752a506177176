import { ACCESS_TOKEN_LIFETIME_SECONDS } from '#access/lifetimes.ts';
import type { StoredSigningKey } from './key-store.ts';

/**
 * UPCOMING: published, signs soon. SIGNING: signs new tokens. VERIFYING: stopped signing, its
 * tokens still live. RETIRED: its tokens have expired. REMOVED: an operator removed it.
 */
export type SigningKeyState = 'UPCOMING' | 'SIGNING' | 'VERIFYING' | 'RETIRED' | 'REMOVED';

/**
 * A key verifies this much longer than its tokens can live: a process may sign with a key for the 2
 * s of its cache, and its clock may differ a little.
 */
const MARGIN_MS = 60_000;
/** The time in which a key still verifies after its successor begins to sign. */
const VERIFIED_MS = ACCESS_TOKEN_LIFETIME_SECONDS * 1_000 + MARGIN_MS;

/**
 * The state of every key at an instant. The keys alone determine it, so that no process has to
 * write when the state of a key changes.
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
  return successorSignsFromMs + VERIFIED_MS > now.getTime() ? 'VERIFYING' : 'RETIRED';
}

/** The earliest instant after `nowMs` at which any state of these keys can change. */
export function nextStateChangeMs(
  keys: readonly Pick<StoredSigningKey, 'signsFrom'>[],
  nowMs: number,
): number {
  const changes = keys.flatMap(({ signsFrom }) => {
    const signsFromMs = signsFrom.getTime();
    // The predecessor of the key retires at the second of both.
    return [signsFromMs, signsFromMs + VERIFIED_MS];
  });
  return Math.min(...changes.filter((changeMs) => changeMs > nowMs));
}
