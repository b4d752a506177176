import { type RunMode, runOrRehearse } from '#database/rehearse.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { listSigningKeys, lockSigningKeys, removeStoredSigningKey } from './key-store.ts';
import type { SigningKeyDeps } from './rotate.ts';
import { type SigningKeyState, signingKeyStates } from './states.ts';

/**
 * Removes a key: within 5 s no process accepts a token that the key signed (contract §3).
 *
 * @returns the previous state of the key
 * @throws OperatorFault for an unknown key, an already removed key, and the key that signs now
 */
export function removeSigningKey(
  { db, clock, actor }: Omit<SigningKeyDeps, 'secretsKey'>,
  keyId: string,
  mode: RunMode = 'DO',
): Promise<SigningKeyState> {
  return runOrRehearse(db, mode, async (tx) => {
    await lockSigningKeys(tx);
    const now = clock.now();
    const found = signingKeyStates(await listSigningKeys(tx), now).find(
      ({ key }) => key.keyId === keyId,
    );
    if (!found) throw new OperatorFault(`There is no signing key "${keyId}".`);
    if (found.state === 'REMOVED') throw new OperatorFault('This key is removed already.');
    if (found.state === 'SIGNING') {
      throw new OperatorFault(
        'This key signs the tokens that are made now. Put another in its place first: ' +
          'payreq keys rotate --now.',
      );
    }
    await removeStoredSigningKey(tx, keyId, now);
    await recordAct(tx, { clock, actor }, 'SIGNING_KEY_REMOVED', null, { keyId });
    return found.state;
  });
}
