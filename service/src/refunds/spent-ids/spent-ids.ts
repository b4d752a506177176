import { createHmac, randomBytes } from 'node:crypto';
import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptBytes, encryptBytes } from '#lib/secrets/secret-box.ts';
import type { MerchantRefundKey } from '#refunds/lookup/find-store.ts';
import {
  findHashes,
  findKey,
  type HashedId,
  insertHashes,
  insertKey,
  listRefundIds,
} from './spent-id-store.ts';

/** The key is random and outlives rotations of SECRETS_KEY, which encrypts it. */
const KEY_BYTES = 32;
const CONTEXT = 'retention-key:refund-ids';

/**
 * Keeps a keyed hash of each merchantRefundId of payment requests whose refunds retention deletes
 * in the same transaction: an id is unique for ever (contract §11).
 */
export async function keepRefundIds(
  tx: Executor,
  secretsKey: RotatingKey,
  paymentRequestIds: readonly string[],
): Promise<void> {
  const ids = await listRefundIds(tx, paymentRequestIds);
  if (ids.length === 0) return;
  if ((await findKey(tx)) === null) {
    await insertKey(tx, encryptBytes(secretsKey, randomBytes(KEY_BYTES), CONTEXT));
  }
  const key = await findKey(tx);
  if (key) await insertHashes(tx, hashed(secretsKey, key, ids));
}

/** The ones of these ids whose refunds retention has deleted. */
export async function findSpentIds(
  tx: Executor,
  secretsKey: RotatingKey,
  ids: readonly MerchantRefundKey[],
): Promise<readonly MerchantRefundKey[]> {
  const key = ids.length === 0 ? null : await findKey(tx);
  if (key === null) return [];
  const found = new Set(await findHashes(tx, hashed(secretsKey, key, ids)));
  return ids.filter((_, index) => found.has(index));
}

function hashed(
  secretsKey: RotatingKey,
  keyEncrypted: Buffer,
  ids: readonly MerchantRefundKey[],
): HashedId[] {
  const key = decryptBytes(secretsKey, keyEncrypted, CONTEXT);
  return ids.map(({ merchantId, merchantRefundId }) => ({
    merchantId,
    hash: createHmac('sha256', key).update(`${merchantId}\n${merchantRefundId}`).digest(),
  }));
}
