import type { Executor, Statement } from '#database/database.ts';
import type { MerchantRefundKey } from '#refunds/lookup/find-store.ts';

const FIND_KEY: Statement = {
  name: 'spent-refund-ids-find-key',
  text: `SELECT key_encrypted AS "keyEncrypted" FROM retention_keys WHERE id = 'refund-ids'`,
};

/** The key of the first writer stays: another one would forget all earlier hashes. */
const INSERT_KEY: Statement = {
  name: 'spent-refund-ids-insert-key',
  text: `INSERT INTO retention_keys (id, key_encrypted) VALUES ('refund-ids', $1)
         ON CONFLICT DO NOTHING`,
};

const LIST_IDS: Statement = {
  name: 'spent-refund-ids-list',
  text: `SELECT merchant_id AS "merchantId", merchant_refund_id AS "merchantRefundId" FROM refunds
         WHERE payment_request_id = ANY ($1::uuid[]) AND merchant_refund_id IS NOT NULL`,
};

const INSERT: Statement = {
  name: 'spent-refund-ids-insert',
  text: `INSERT INTO spent_refund_ids (merchant_id, id_hash)
         SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING`,
};

const FIND: Statement = {
  name: 'spent-refund-ids-find',
  text: `SELECT asked.number::int AS number
         FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS asked (merchant, hash, number)
         JOIN spent_refund_ids s ON s.merchant_id = asked.merchant AND s.id_hash = asked.hash`,
};

/** The encrypted key of the hashes; null: no id was ever kept. */
export async function findKey(db: Executor): Promise<Buffer | null> {
  const [row] = await db.query<{ keyEncrypted: Buffer }>(FIND_KEY);
  return row?.keyEncrypted ?? null;
}

export async function insertKey(tx: Executor, keyEncrypted: Buffer): Promise<void> {
  await tx.query(INSERT_KEY, [keyEncrypted]);
}

/** The ids that merchants gave the refunds of these payment requests. */
export function listRefundIds(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<MerchantRefundKey[]> {
  return tx.query(LIST_IDS, [paymentRequestIds]);
}

export interface HashedId {
  readonly merchantId: string;
  readonly hash: Buffer;
}

export async function insertHashes(tx: Executor, ids: readonly HashedId[]): Promise<void> {
  await tx.query(INSERT, columnsOf(ids));
}

/** The indexes of the ids that were kept. */
export async function findHashes(db: Executor, ids: readonly HashedId[]): Promise<number[]> {
  const rows = await db.query<{ number: number }>(FIND, columnsOf(ids));
  return rows.map(({ number }) => number - 1);
}

function columnsOf(ids: readonly HashedId[]) {
  return [ids.map(({ merchantId }) => merchantId), ids.map(({ hash }) => hash)];
}
