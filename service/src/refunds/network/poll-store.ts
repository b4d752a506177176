import type { Executor, Statement } from '#database/database.ts';
import { IS_RESTORE_OPEN } from '#database/restores/restore-store.ts';
import { execute } from '#database/statements.ts';
import { COLUMNS, fromRow, type RefundRow } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';

/** A claim postpones the poll: after the death of its process, the poll is due again. */
const CLAIM: Statement = {
  name: 'refund-claim',
  text: `WITH due AS MATERIALIZED (
      SELECT id FROM refunds WHERE next_poll_at <= service_now()
      ORDER BY next_poll_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    UPDATE refunds r
    SET next_poll_at = service_now() + make_interval(secs => $2), polls = r.polls + 1
    FROM due, merchants m
    WHERE r.id = due.id AND m.id = r.merchant_id
    RETURNING ${COLUMNS}, r.polls, m.status = 'SUSPENDED' OR ${IS_RESTORE_OPEN} AS "isHeld"`,
};

/** Brings the next polls of a payment request's refunds forward. */
export const advancePolls = execute<[paymentRequestId: string, us: number]>(
  'refund-advance-polls',
  `UPDATE refunds SET next_poll_at = next_poll_at - $2 * interval '1 us'
   WHERE payment_request_id = $1 AND next_poll_at IS NOT NULL`,
);

export interface DueRefund {
  readonly refund: Refund;
  /** The number of polls in this status, with this one. */
  readonly polls: number;
  /** Whether the merchant is suspended, or a restore holds all refunds (decision 0063). */
  readonly isHeld: boolean;
}

/** Claims refunds that are due. A refund that is not planned again is due after the lease. */
export async function claimDueRefunds(
  executor: Executor,
  most: number,
  leaseSeconds: number,
): Promise<DueRefund[]> {
  const rows = await executor.query<RefundRow & { polls: number; isHeld: boolean }>(CLAIM, [
    most,
    leaseSeconds,
  ]);
  return rows.map(({ polls, isHeld, ...row }) => ({ refund: fromRow(row), polls, isHeld }));
}

/**
 * Plans the next poll of a refund that has this status; null: none. A change since then has planned
 * a poll of its own, or has made further polls needless.
 *
 * @param isNewStatus the count of polls begins again
 */
export const planNextPoll = execute(
  'refund-plan-next-poll',
  `UPDATE refunds SET next_poll_at = service_now() + make_interval(secs => $3),
     polls = CASE WHEN $4 THEN 0 ELSE polls END
   WHERE id = $1 AND status = $2`,
  (
    { id, status }: { readonly id: string; readonly status: RefundStatus },
    afterSeconds: number | null,
    isNewStatus = false,
  ) => [id, status, afterSeconds, isNewStatus],
);
