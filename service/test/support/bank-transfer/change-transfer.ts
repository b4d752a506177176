import type { Executor, Statement } from '#database/database.ts';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';

type Success = Extract<NetworkOutcome, { state: 'SUCCEEDED' }>;

/** Sent and announced money has arrived: the page asks for the rest. */
const SET_RECEIVED: Statement = {
  name: 'test-transfer-set-received',
  text: `UPDATE bank_transfer_requests
    SET received_cents = $2, announced_at = NULL, sent_at = NULL, version = version + 1
    WHERE payment_request_id = $1 AND received_cents <> $2 RETURNING page_key AS "pageKey"`,
};

/** Money can also come after the request was cancelled or has expired. */
const MARK_PAID: Statement = {
  name: 'test-transfer-mark-paid',
  text: `UPDATE bank_transfer_requests
    SET state = 'PAID', outcome = $2::jsonb, received_cents = $3, version = version + 1
    WHERE payment_request_id = $1 AND outcome IS NULL RETURNING page_key AS "pageKey"`,
};

/**
 * Sets the sum of all parts that have arrived for a transfer, as its matched statements do.
 *
 * @returns the keys of the pages that changed
 */
export function setTransferReceived(
  db: Executor,
  paymentRequestId: string,
  receivedCents: number,
): Promise<string[]> {
  return write(db, SET_RECEIVED, [paymentRequestId, receivedCents]);
}

/**
 * Makes a transfer PAID without a statement: its open pages then lead to the final page.
 *
 * @returns the keys of the pages that changed
 */
export function markTransferPaid(
  db: Executor,
  paymentRequestId: string,
  outcome: Success,
): Promise<string[]> {
  return write(db, MARK_PAID, [paymentRequestId, JSON.stringify(outcome), outcome.amountCents]);
}

async function write(db: Executor, statement: Statement, values: unknown[]): Promise<string[]> {
  const rows = await db.query<{ pageKey: string }>(statement, values);
  return rows.map(({ pageKey }) => pageKey);
}
