import type { Executor, Statement } from '#database/database.ts';
import { allRows, execute, firstRowOrNull } from '#database/statements.ts';

/**
 * Why a payment request cannot be erased yet, or not wholly. The request can still be paid; or a
 * webhook is pending and must not change; or an open refund or case needs the account number, and
 * everything else is erased (contract §11).
 */
export type LeftBecause = 'NOT_OVER' | 'WEBHOOK_OWED' | 'REFUND_OPEN' | 'CASE_OPEN';

/** An erasure that the background carries out as soon as it can. */
export interface WaitingErasure {
  readonly paymentRequestId: string;
  readonly merchantId: string;
  readonly because: LeftBecause;
  /** The operator who asked for it. */
  readonly askedBy: string;
  readonly askedAt: Date;
}

const COLUMNS = `payment_request_id AS "paymentRequestId", merchant_id AS "merchantId", because,
  asked_by AS "askedBy", asked_at AS "askedAt"`;

/** The first order stays: its day is the one that counts for the payer. */
const KEEP: Statement = {
  name: 'payer-erasure-keep',
  text: `INSERT INTO payer_erasures AS w
           (payment_request_id, merchant_id, because, asked_by, asked_at, next_look_at)
         SELECT id, $1, because, $4, $5, service_now() + interval '5 minutes'
         FROM unnest($2::uuid[], $3::text[]) AS left_ (id, because)
         ON CONFLICT (payment_request_id) DO UPDATE SET because = excluded.because
         RETURNING payment_request_id AS id, xmax = 0 AS "isNew"`,
};

/** Keeps the erasures of payment requests that were left. @returns the ids that are new */
export async function keepWaiting(
  tx: Executor,
  merchantId: string,
  left: readonly { readonly id: string; readonly because: LeftBecause }[],
  askedBy: string,
  askedAt: Date,
): Promise<ReadonlySet<string>> {
  const ids = left.map(({ id }) => id);
  const reasons = left.map(({ because }) => because);
  const values = [merchantId, ids, reasons, askedBy, askedAt];
  const rows = await tx.query<{ id: string; isNew: boolean }>(KEEP, values);
  return new Set(rows.filter(({ isNew }) => isNew).map(({ id }) => id));
}

/** Forgets the orders whose payment requests are erased. */
export const endWaiting = execute<[ids: readonly string[]]>(
  'payer-erasure-end',
  'DELETE FROM payer_erasures WHERE payment_request_id = ANY ($1::uuid[])',
);

/**
 * Claims up to `limit` erasures to look at, those that wait longest first.
 *
 * The next look is written first: an erasure that fails does not hold up the others.
 */
export const claimWaiting = allRows<WaitingErasure, [limit: number]>(
  'payer-erasure-claim',
  `UPDATE payer_erasures SET next_look_at = service_now() + interval '5 minutes'
   WHERE payment_request_id IN (
     SELECT payment_request_id FROM payer_erasures WHERE next_look_at <= service_now()
     ORDER BY next_look_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING ${COLUMNS}`,
);

/** Up to `limit` waiting erasures, the oldest first. */
export const listWaiting = allRows<WaitingErasure, [limit: number]>(
  'payer-erasure-list',
  `SELECT ${COLUMNS} FROM payer_erasures ORDER BY asked_at, payment_request_id LIMIT $1`,
);

/** The erasure of a payment request that waits; null: none does. */
export const findWaiting = firstRowOrNull<WaitingErasure, [id: string]>(
  'payer-erasure-find-waiting',
  `SELECT ${COLUMNS} FROM payer_erasures WHERE payment_request_id = $1`,
);
