import type { Executor, Statement } from '#database/database.ts';

const INSERT: Statement = {
  name: 'network-request-insert',
  text: `INSERT INTO network_requests (payment_request_id, next_look_at)
         VALUES ($1, service_now() + make_interval(secs => $2))
         ON CONFLICT (payment_request_id) DO NOTHING`,
};

const FIND: Statement = {
  name: 'network-request-find',
  text: `SELECT payer_url AS "payerUrl", known_version AS "knownVersion"
         FROM network_requests WHERE payment_request_id = $1 AND payment_over_at IS NULL`,
};

/** Two answers may come in any order; the one that knows more stays. */
const SAVE_ANSWER: Statement = {
  name: 'network-request-save-answer',
  text: `UPDATE network_requests SET payer_url = $2, known_version = $3, payment_over_at = NULL
         WHERE payment_request_id = $1 AND coalesce(known_version, 0) <= $3`,
};

/** The claim is a look put off: a process that dies with it leaves it to be made again. */
const CLAIM: Statement = {
  name: 'network-request-claim',
  text: `WITH due AS (
      SELECT payment_request_id FROM network_requests
      WHERE next_look_at <= service_now() ORDER BY next_look_at LIMIT $1
      FOR UPDATE SKIP LOCKED)
    UPDATE network_requests n
    SET next_look_at = service_now() + make_interval(secs => $2), looks = n.looks + 1
    FROM due WHERE n.payment_request_id = due.payment_request_id
    RETURNING n.payment_request_id AS "paymentRequestId", n.looks, n.changes,
      n.known_version AS "knownVersion", n.alerted_at AS "alertedAt",
      n.payment_over_at IS NOT NULL AS "isPaymentOver",
      (extract(epoch FROM service_now() - n.created_at))::float8 AS "ageSeconds"`,
};

/** Unless the payment request changed meanwhile, which asks for a look of its own. */
const PLAN_NEXT: Statement = {
  name: 'network-request-plan-next',
  text: `UPDATE network_requests
         SET next_look_at = service_now() + make_interval(secs => $3)
         WHERE payment_request_id = $1 AND changes = $2`,
};

const LOOK_SOON: Statement = {
  name: 'network-request-look-soon',
  text: `UPDATE network_requests SET next_look_at = service_now()
         WHERE payment_request_id = $1
           AND next_look_at > service_now() + make_interval(secs => $2) AND looks < $3`,
};

const MARK_ALERTED: Statement = {
  name: 'network-request-mark-alerted',
  text: `UPDATE network_requests SET alerted_at = service_now()
         WHERE payment_request_id = $1 AND alerted_at IS NULL
           AND EXISTS (SELECT FROM payment_requests WHERE id = $1 AND status = 'PROCESSING')
         RETURNING payment_request_id`,
};

const MARK_PAYMENT_OVER: Statement = {
  name: 'network-request-mark-payment-over',
  text: `UPDATE network_requests SET payment_over_at = service_now()
         WHERE payment_request_id = $1 AND payment_over_at IS NULL`,
};

const IS_PAYMENT_OVER: Statement = {
  name: 'network-request-is-payment-over',
  text: `SELECT FROM network_requests
         WHERE payment_request_id = $1 AND payment_over_at IS NOT NULL`,
};

export interface NetworkAnswer {
  readonly payerUrl: string;
  readonly knownVersion: number;
}

export interface DueLook {
  readonly paymentRequestId: string;
  /** This one included, since the payment request last changed. */
  readonly looks: number;
  readonly changes: number;
  /** null: the network has not answered yet. */
  readonly knownVersion: number | null;
  readonly alertedAt: Date | null;
  /** The payment there is over, and a new one is made when the link is opened. */
  readonly isPaymentOver: boolean;
  readonly ageSeconds: number;
}

/** Writes down that the network is about to be asked, unless that stands there already. */
export async function insertNetworkRequest(
  executor: Executor,
  paymentRequestId: string,
  firstLookAfterSeconds: number,
): Promise<void> {
  await executor.query(INSERT, [paymentRequestId, firstLookAfterSeconds]);
}

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

export async function saveNetworkAnswer(
  executor: Executor,
  paymentRequestId: string,
  { payerUrl, knownVersion }: NetworkAnswer,
): Promise<void> {
  await executor.query(SAVE_ANSWER, [paymentRequestId, payerUrl, knownVersion]);
}

/** Claims looks that are due; one that is not planned anew comes back after the lease. */
export function claimDueLooks(
  executor: Executor,
  most: number,
  leaseSeconds: number,
): Promise<DueLook[]> {
  return executor.query<DueLook>(CLAIM, [most, leaseSeconds]);
}

/** Plans the next look; null: nothing can come any more. */
export async function planNextLook(
  executor: Executor,
  { paymentRequestId, changes }: Pick<DueLook, 'paymentRequestId' | 'changes'>,
  afterSeconds: number | null,
): Promise<void> {
  await executor.query(PLAN_NEXT, [paymentRequestId, changes, afterSeconds]);
}

/** Somebody waits in front of a page; but opening it over and over must not flood the network. */
const SOON_SECONDS = 5;
const MOST_HASTENED_LOOKS = 20;

/** Brings the next look forward to now, where a payer waits for what the network knows. */
export async function lookSoon(executor: Executor, paymentRequestId: string): Promise<void> {
  await executor.query(LOOK_SOON, [paymentRequestId, SOON_SECONDS, MOST_HASTENED_LOOKS]);
}

/** @returns whether it is still PROCESSING and this call is the one that marked it. */
export async function markAlerted(executor: Executor, paymentRequestId: string): Promise<boolean> {
  return (await executor.query(MARK_ALERTED, [paymentRequestId])).length > 0;
}

/** Writes down that the payment at the network has ended without money: opening the link of an
 *  open payment request makes a new one there. */
export async function markPaymentOver(executor: Executor, paymentRequestId: string): Promise<void> {
  await executor.query(MARK_PAYMENT_OVER, [paymentRequestId]);
}

export async function isPaymentOver(
  executor: Executor,
  paymentRequestId: string,
): Promise<boolean> {
  return (await executor.query(IS_PAYMENT_OVER, [paymentRequestId])).length > 0;
}
