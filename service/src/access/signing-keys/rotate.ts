import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { createSigningKey } from './create.ts';
import { insertSigningKey, listSigningKeys, lockSigningKeys } from './key-store.ts';
import { signingKeyStates } from './states.ts';

/**
 * A new key is published this long before it signs. Every process reads the key set again within 2
 * s, so no process meets a token with an unknown key.
 */
const PUBLISHED_AHEAD_MS = 5_000;

export interface SigningKeyDeps extends AuditedDeps {
  /** `SECRETS_KEY`, and the key that it replaces. */
  readonly secretsKey: RotatingKey;
}

export interface NewSigningKey {
  readonly keyId: string;
  readonly signsFrom: Date;
}

/**
 * Creates the key that signs tokens from now on (contract §3); earlier keys verify until their
 * tokens have expired.
 *
 * @param options.immediately signs now, because the current key is no longer trusted
 */
export function rotateSigningKey(
  deps: SigningKeyDeps,
  { immediately }: { readonly immediately: boolean },
): Promise<NewSigningKey> {
  return deps.db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    const aheadMs = immediately || !(await hasSigningKey(tx, deps.clock)) ? 0 : PUBLISHED_AHEAD_MS;
    return addSigningKey(tx, deps, aheadMs);
  });
}

/** Creates the first key of a deployment; does nothing if a key signs already. */
export function ensureSigningKey(deps: SigningKeyDeps): Promise<void> {
  return deps.db.transaction(async (tx) => {
    await lockSigningKeys(tx);
    if (!(await hasSigningKey(tx, deps.clock))) await addSigningKey(tx, deps, 0);
  });
}

async function hasSigningKey(tx: Executor, clock: Clock): Promise<boolean> {
  const states = signingKeyStates(await listSigningKeys(tx), clock.now());
  return states.some(({ state }) => state === 'SIGNING');
}

async function addSigningKey(
  tx: Executor,
  { clock, secretsKey, actor }: SigningKeyDeps,
  aheadMs: number,
): Promise<NewSigningKey> {
  const now = clock.now();
  const key = await createSigningKey(secretsKey, new Date(now.getTime() + aheadMs), now);
  await insertSigningKey(tx, key);
  const { keyId, signsFrom } = key;
  await recordAct(tx, { clock, actor }, 'SIGNING_KEY_CREATED', null, { keyId, signsFrom });
  return { keyId, signsFrom };
}
