import type { Executor, Statement } from '#database/database.ts';
import { execute, firstValue } from '#database/statements.ts';
import type { RefusalReasonCode } from '#payment-requests/model/statuses.ts';
import type { Action, Step } from './outcomes.ts';

/**
 * Delays count from the answer of the create call, which leaves after this transaction's commit;
 * so does the promise that no webhook comes before it, which `depositSubmit:0` would break.
 */
const ANSWER_ALLOWANCE_MS = 250;
/** A move takes milliseconds; after this its process is gone, and doing it again is harmless. */
const CLAIM_SECONDS = 5;
/** A step that fails this often (over 100 s, were the rest well) fails for a reason of its own. */
const MOST_ATTEMPTS = 20;

/** A step waits for the one before it, also when both fell due while the service was down. */
const CLAIM: Statement = {
  name: 'sandbox-step-claim',
  text: `WITH due AS (
      SELECT s.payment_request_id, s.position FROM sandbox_steps s
      WHERE s.done_at IS NULL AND s.due_at <= service_now() AND s.attempts < ${MOST_ATTEMPTS}
        AND (s.claimed_until IS NULL OR s.claimed_until <= service_now())
        AND NOT EXISTS (
          SELECT FROM sandbox_steps earlier
          WHERE earlier.payment_request_id = s.payment_request_id
            AND earlier.position < s.position AND earlier.done_at IS NULL)
      ORDER BY s.due_at LIMIT $1
      FOR UPDATE OF s SKIP LOCKED)
    UPDATE sandbox_steps s
    SET claimed_until = service_now() + interval '${CLAIM_SECONDS} s', attempts = s.attempts + 1
    FROM due
    WHERE s.payment_request_id = due.payment_request_id AND s.position = due.position
    RETURNING s.payment_request_id, s.position, s.action, s.reason_code, s.due_at,
      (extract(epoch FROM service_now() - s.due_at) * 1000)::float8 AS late_ms`,
};

const MARK_DONE: Statement = {
  name: 'sandbox-step-mark-done',
  text: `UPDATE sandbox_steps s SET done_at = service_now()
    FROM unnest($1::uuid[], $2::int[]) AS done (payment_request_id, position)
    WHERE s.payment_request_id = done.payment_request_id AND s.position = done.position`,
};

export interface ClaimedStep {
  readonly paymentRequestId: string;
  readonly position: number;
  readonly action: Action;
  readonly reasonCode: RefusalReasonCode | null;
  readonly dueAt: Date;
  /** How long the step has been due. */
  readonly lateMs: number;
}

/** Writes what will happen to a payment request, in the transaction that creates it. */
export const insertSteps = execute(
  'sandbox-step-insert',
  `INSERT INTO sandbox_steps (payment_request_id, position, due_at, action, reason_code)
   SELECT $1, position, service_now() + after_ms * interval '1 ms', action, reason_code
   FROM unnest($2::int[], $3::text[], $4::text[])
     WITH ORDINALITY AS steps (after_ms, action, reason_code, position)`,
  (paymentRequestId: string, steps: readonly Step[]) => [
    paymentRequestId,
    steps.map((step) => step.afterSeconds * 1_000 + ANSWER_ALLOWANCE_MS),
    steps.map((step) => step.action),
    steps.map((step) => step.reasonCode ?? null),
  ],
);

/** Takes up to `limit` due steps for this process alone, for `CLAIM_SECONDS`, oldest first. */
export async function claimDueSteps(executor: Executor, limit: number): Promise<ClaimedStep[]> {
  const rows = await executor.query<Row>(CLAIM, [limit]);
  return rows.map((row) => ({
    paymentRequestId: row.payment_request_id,
    position: row.position,
    action: row.action,
    reasonCode: row.reason_code,
    dueAt: row.due_at,
    lateMs: row.late_ms,
  }));
}

export async function markStepsDone(
  executor: Executor,
  steps: readonly Pick<ClaimedStep, 'paymentRequestId' | 'position'>[],
): Promise<void> {
  if (steps.length === 0) return;
  await executor.query(MARK_DONE, [
    steps.map((step) => step.paymentRequestId),
    steps.map((step) => step.position),
  ]);
}

/** Brings the steps of a payment request forward that are still to come. */
export const advanceSteps = execute<[paymentRequestId: string, us: number]>(
  'sandbox-step-advance',
  `UPDATE sandbox_steps SET due_at = due_at - $2 * interval '1 us'
   WHERE payment_request_id = $1 AND done_at IS NULL`,
);

/**
 * Milliseconds until the next step falls due, below 0 if it just has; null when none is ahead.
 *
 * Looks back a little: a step may have fallen due since the claim that did not find it yet.
 */
export const findNextDueMs = firstValue<number | null>(
  'sandbox-step-next-due',
  `SELECT (extract(epoch FROM min(due_at) - service_now()) * 1000)::float8 AS ahead_ms
   FROM sandbox_steps
   WHERE done_at IS NULL AND claimed_until IS NULL
     AND due_at > service_now() - interval '500 ms'`,
  null,
);

interface Row {
  payment_request_id: string;
  position: number;
  action: Action;
  reason_code: RefusalReasonCode | null;
  due_at: Date;
  late_ms: number;
}
