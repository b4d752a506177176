import { allRows, execute } from '#database/statements.ts';

/** A report that its process did not live to make is made again after this. */
const LEASE_SECONDS = 10;

export interface DueReturn {
  readonly id: string;
  readonly paymentRequestId: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly networkReference: string | null;
  /** false: the report of the money was not taken, and none goes back. */
  readonly isSettled: boolean;
}

/** Plans that the network takes the money of a payment back. */
export const planReturn = execute<[id: string, afterSeconds: number]>(
  'gateway-return-plan',
  `UPDATE gateway_payments SET returns_at = service_now() + make_interval(secs => $2)
   WHERE id = $1`,
);

/** The claim is a report put off: a process that dies with it leaves it to be made again. */
export const claimDueReturns = allRows<DueReturn, [most: number]>(
  'gateway-return-claim-due',
  `WITH due AS (
     SELECT id FROM gateway_payments
     WHERE returns_at <= service_now() ORDER BY returns_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   UPDATE gateway_payments g SET returns_at = service_now() + make_interval(secs => $2)
   FROM due WHERE g.id = due.id
   RETURNING g.id, g.payment_request_id AS "paymentRequestId", g.amount_cents AS "amountCents",
     g.currency, g.network_reference AS "networkReference", g.state = 'SETTLED' AS "isSettled"`,
  (most) => [most, LEASE_SECONDS],
);

export const forgetReturn = execute<[id: string]>(
  'gateway-return-forget',
  'UPDATE gateway_payments SET returns_at = NULL WHERE id = $1',
);
