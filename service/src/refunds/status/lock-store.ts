import type { Executor, Statement } from '#database/database.ts';
import { hasPayment, sqlListOf } from '#payment-requests/model/statuses.ts';
import type { RefundedPayment } from '#refunds/model/refund.ts';

const PAID = sqlListOf(hasPayment);

/**
 * The sums are columns of the locked row, so that the statement reads them as the lock's last
 * holder committed them. The order keeps two transactions with several payment requests from a
 * deadlock. A look-up for each: a join planned for a small table would scan it all.
 */
const lockPayments = (condition: string) => `
  SELECT p.* FROM (SELECT DISTINCT value::uuid AS id
    FROM json_array_elements_text($1::json) ORDER BY id) asked, LATERAL (
    SELECT p.id, p.merchant_id AS "merchantId", p.status IN (${PAID}) AS "isPaid",
      p.received_cents AS "receivedCents", p.returned_cents AS "returnedCents",
      p.refunded_cents AS "refundedCents", p.refunding_cents AS "refundingCents",
      p.webhook_sequence AS "webhookSequence",
      coalesce((p.message_plan->>'receipt')::boolean, false) AS "sendsReceipts"
    FROM payment_requests p WHERE p.id = asked.id ${condition} FOR UPDATE) p`;

const LOCK: Statement = { name: 'refund-lock-payments', text: lockPayments('') };

const LOCK_OF_MERCHANTS: Statement = {
  name: 'refund-lock-payments-of-merchants',
  text: lockPayments(
    'AND p.merchant_id IN (SELECT json_array_elements_text($2::json) COLLATE "C")',
  ),
};

const FIND_PAYMENTS_OF: Statement = {
  name: 'refund-find-payments-of',
  text: `SELECT DISTINCT payment_request_id AS id FROM refunds
         WHERE id IN (SELECT value::uuid FROM json_array_elements_text($1::json))`,
};

export type LockedPayments = ReadonlyMap<string, RefundedPayment>;

/** Locks payment requests, and with them all their refunds, until the transaction ends. */
export async function lockPaymentsById(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<LockedPayments> {
  if (paymentRequestIds.length === 0) return new Map();
  return byId(await tx.query<RefundedPayment>(LOCK, [JSON.stringify(paymentRequestIds)]));
}

/** Like `lockPaymentsById`; payment requests of other merchants stay unlocked. */
export async function lockPaymentsOfMerchants(
  tx: Executor,
  paymentRequestIds: readonly string[],
  merchantIds: readonly string[],
): Promise<LockedPayments> {
  const values = [JSON.stringify(paymentRequestIds), JSON.stringify(merchantIds)];
  return byId(await tx.query<RefundedPayment>(LOCK_OF_MERCHANTS, values));
}

/** Locks the payment requests of these refunds. Read the refunds after it. */
export async function lockPaymentsOfRefunds(
  tx: Executor,
  refundIds: readonly string[],
): Promise<LockedPayments> {
  const rows = await tx.query<{ id: string }>(FIND_PAYMENTS_OF, [JSON.stringify(refundIds)]);
  return lockPaymentsById(
    tx,
    rows.map(({ id }) => id),
  );
}

function byId(rows: readonly RefundedPayment[]): LockedPayments {
  return new Map(rows.map((row) => [row.id, row]));
}
