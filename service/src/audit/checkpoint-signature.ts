import { createHmac } from 'node:crypto';
import type { Executor } from '#database/database.ts';
import { keyOf, type RotatingKey } from '#lib/secret-key.ts';
import { hashesEqual } from '#merchants/credentials/secret-hash.ts';
import {
  type Checkpoint,
  listCheckpoints,
  type SignedCheckpoint,
  saveSignature,
} from './checkpoint-store.ts';

/** Derives the key of this purpose alone, so that SECRETS_KEY itself only encrypts. */
const PURPOSE = 'audit checkpoint key';

/** HMAC-SHA-256 of a checkpoint: only a holder of SECRETS_KEY can make one. */
export function signCheckpoint(secretsKey: Buffer, checkpoint: Checkpoint): Buffer {
  const key = createHmac('sha256', keyOf(secretsKey)).update(PURPOSE).digest();
  const { position, hash, isStart, createdAt } = checkpoint;
  const text = `${position} ${hash.toString('hex')} ${isStart} ${createdAt.toISOString()}`;
  return createHmac('sha256', key).update(text).digest();
}

/** Whether the current or the previous SECRETS_KEY signed a checkpoint. */
export function isSignedByUs(
  { current, previous }: RotatingKey,
  checkpoint: SignedCheckpoint,
): boolean {
  return [current, previous].some(
    (key) => key !== null && hashesEqual(signCheckpoint(key, checkpoint), checkpoint.signature),
  );
}

/**
 * Signs checkpoints of the previous SECRETS_KEY with the current one; a forged one stays forged.
 */
export async function resignCheckpoints(tx: Executor, secretsKey: RotatingKey): Promise<void> {
  for (const checkpoint of await listCheckpoints(tx)) {
    if (!isSignedByUs(secretsKey, checkpoint)) continue;
    const signature = signCheckpoint(secretsKey.current, checkpoint);
    if (signature.equals(checkpoint.signature)) continue;
    await saveSignature(tx, checkpoint.position, signature);
  }
}
