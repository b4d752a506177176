import type { Executor, Statement } from '#database/database.ts';
import { allRows, execute, hasRows } from '#database/statements.ts';
import { isInProgress, sqlListOf } from '#payment-requests/model/statuses.ts';

const FIND: Statement = {
  name: 'network-request-find',
  text: `SELECT payer_url AS "payerUrl", known_version AS "knownVersion"
         FROM network_requests WHERE payment_request_id = $1 AND payment_over_at IS NULL`,
};

const MARK_PAYMENTS_OVER: Statement = {
  name: 'network-request-mark-payments-over',
  text: `UPDATE network_requests SET payment_over_at = service_now()
         WHERE payment_request_id = ANY ($1::uuid[]) AND payment_over_at IS NULL`,
};

export interface NetworkAnswer {
  readonly payerUrl: string;
  readonly knownVersion: number;
}

export interface DuePoll {
  readonly paymentRequestId: string;
  /** The number of polls since the payment request last changed, with this one. */
  readonly polls: number;
  readonly changes: number;
  /** null: the network has not answered yet. */
  readonly knownVersion: number | null;
  readonly alertedAt: Date | null;
  /** The payment at the network is over; opening the link makes a new payment. */
  readonly isPaymentOver: boolean;
  readonly ageSeconds: number;
}

/** Notes, once, that the network is about to learn of the request. */
export const insertNetworkRequest = execute<
  [paymentRequestId: string, firstPollAfterSeconds: number]
>(
  'network-request-insert',
  `INSERT INTO network_requests (payment_request_id, next_look_at)
   VALUES ($1, service_now() + make_interval(secs => $2))
   ON CONFLICT (payment_request_id) DO NOTHING`,
);

/** The last answer of the network; null while there is no payment at the network. */
export async function findNetworkAnswer(
  executor: Executor,
  paymentRequestId: string,
): Promise<NetworkAnswer | null> {
  const [row] = await executor.query<{ payerUrl: string | null; knownVersion: number | null }>(
    FIND,
    [paymentRequestId],
  );
  if (!row || row.payerUrl === null || row.knownVersion === null) return null;
  return { payerUrl: row.payerUrl, knownVersion: row.knownVersion };
}

/** Two answers may come in any order; the answer with the later version stays. */
export const saveNetworkAnswer = execute(
  'network-request-save-answer',
  `UPDATE network_requests SET payer_url = $2, known_version = $3, payment_over_at = NULL
   WHERE payment_request_id = $1 AND coalesce(known_version, 0) <= $3`,
  (paymentRequestId: string, { payerUrl, knownVersion }: NetworkAnswer) => [
    paymentRequestId,
    payerUrl,
    knownVersion,
  ],
);

/**
 * Claims polls that are due. A poll that is not planned again is due after the lease.
 *
 * A claim postpones the poll: after the death of its process, the poll is due again.
 */
export const claimDuePolls = allRows<DuePoll, [most: number, leaseSeconds: number]>(
  'network-request-claim',
  `WITH due AS (
     SELECT payment_request_id FROM network_requests
     WHERE next_look_at <= service_now() ORDER BY next_look_at LIMIT $1
     FOR UPDATE SKIP LOCKED)
   UPDATE network_requests n
   SET next_look_at = service_now() + make_interval(secs => $2), looks = n.looks + 1
   FROM due WHERE n.payment_request_id = due.payment_request_id
   RETURNING n.payment_request_id AS "paymentRequestId", n.looks AS polls, n.changes,
     n.known_version AS "knownVersion", n.alerted_at AS "alertedAt",
     n.payment_over_at IS NOT NULL AS "isPaymentOver",
     (extract(epoch FROM service_now() - n.created_at))::float8 AS "ageSeconds"`,
);

/**
 * Plans the next poll; null: no money can come any more.
 *
 * A change of the payment request since the claim has planned a poll of its own.
 */
export const planNextPoll = execute(
  'network-request-plan-next',
  `UPDATE network_requests
   SET next_look_at = service_now() + make_interval(secs => $3)
   WHERE payment_request_id = $1 AND changes = $2`,
  (
    { paymentRequestId, changes }: Pick<DuePoll, 'paymentRequestId' | 'changes'>,
    afterSeconds: number | null,
  ) => [paymentRequestId, changes, afterSeconds],
);

/** A payer waits at a page; but opening the page over and over must not flood the network. */
const SOON_SECONDS = 5;
const MOST_EARLY_POLLS = 20;

/** Brings the next poll forward to now, for a payer who waits for the outcome. */
export const pollSoon = execute(
  'network-request-poll-soon',
  `UPDATE network_requests SET next_look_at = service_now()
   WHERE payment_request_id = $1
     AND next_look_at > service_now() + make_interval(secs => $2) AND looks < $3`,
  (paymentRequestId: string) => [paymentRequestId, SOON_SECONDS, MOST_EARLY_POLLS],
);

/** @returns whether the request is still PROCESSING and this call has marked it. */
export const markAlerted = hasRows<[paymentRequestId: string]>(
  'network-request-mark-alerted',
  `UPDATE network_requests SET alerted_at = service_now()
   WHERE payment_request_id = $1 AND alerted_at IS NULL
     AND EXISTS (SELECT FROM payment_requests
                 WHERE id = $1 AND status IN (${sqlListOf(isInProgress)}))
   RETURNING payment_request_id`,
);

/**
 * Marks payments that have ended at the network without money. Opening the link of an open payment
 * request then makes a new payment.
 */
export async function markPaymentsOver(
  executor: Executor,
  paymentRequestIds: readonly string[],
): Promise<void> {
  if (paymentRequestIds.length === 0) return;
  await executor.query(MARK_PAYMENTS_OVER, [paymentRequestIds]);
}

export const isPaymentOver = hasRows<[paymentRequestId: string]>(
  'network-request-is-payment-over',
  `SELECT FROM network_requests
   WHERE payment_request_id = $1 AND payment_over_at IS NOT NULL`,
);
