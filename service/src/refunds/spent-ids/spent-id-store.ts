import type { Executor, Statement } from '#database/database.ts';
import { allRows, execute, firstValue } from '#database/statements.ts';
import type { MerchantRefundKey } from '#refunds/lookup/find-store.ts';

const FIND: Statement = {
  name: 'spent-refund-ids-find',
  text: `SELECT asked.number::int AS number
         FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS asked (merchant, hash, number)
         JOIN spent_refund_ids s ON s.merchant_id = asked.merchant AND s.id_hash = asked.hash`,
};

/** The encrypted key of the hashes; null: no id was ever kept. */
export const findKey = firstValue<Buffer | null>(
  'spent-refund-ids-find-key',
  `SELECT key_encrypted AS "keyEncrypted" FROM retention_keys WHERE id = 'refund-ids'`,
  null,
);

/** The key of the first writer stays: another one would forget all earlier hashes. */
export const insertKey = execute<[keyEncrypted: Buffer]>(
  'spent-refund-ids-insert-key',
  `INSERT INTO retention_keys (id, key_encrypted) VALUES ('refund-ids', $1)
   ON CONFLICT DO NOTHING`,
);

/** The ids that merchants gave the refunds of these payment requests. */
export const listRefundIds = allRows<MerchantRefundKey, [paymentRequestIds: readonly string[]]>(
  'spent-refund-ids-list',
  `SELECT merchant_id AS "merchantId", merchant_refund_id AS "merchantRefundId" FROM refunds
   WHERE payment_request_id = ANY ($1::uuid[]) AND merchant_refund_id IS NOT NULL`,
);

export interface HashedId {
  readonly merchantId: string;
  readonly hash: Buffer;
}

export const insertHashes = execute(
  'spent-refund-ids-insert',
  `INSERT INTO spent_refund_ids (merchant_id, id_hash)
   SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING`,
  (ids: readonly HashedId[]) => columnsOf(ids),
);

/** The indexes of the ids that were kept. */
export async function findHashes(db: Executor, ids: readonly HashedId[]): Promise<number[]> {
  const rows = await db.query<{ number: number }>(FIND, columnsOf(ids));
  return rows.map(({ number }) => number - 1);
}

function columnsOf(ids: readonly HashedId[]) {
  return [ids.map(({ merchantId }) => merchantId), ids.map(({ hash }) => hash)];
}
