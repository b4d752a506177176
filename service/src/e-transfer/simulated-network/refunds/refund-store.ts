import { allRows, execute, firstRow, valuesOf } from '#database/statements.ts';
import type { RefusalReason } from '../../refusal-reason.ts';

export type GatewayRefundState = 'ACCEPTED' | 'COMPLETED' | 'REFUSED' | 'RETURNED';
export type GatewayRefundOutcome = 'COMPLETE' | 'REFUSE' | 'RETURN';

/** A refund in the books of the simulated network. */
export interface GatewayRefund {
  readonly refundId: string;
  readonly amountCents: number;
  readonly networkReference: string;
  readonly outcome: GatewayRefundOutcome;
  readonly refusalReason: RefusalReason | null;
  readonly state: GatewayRefundState;
  readonly completedAt: Date | null;
}

const COLUMNS = `g.refund_id AS "refundId", g.amount_cents AS "amountCents",
  g.network_reference AS "networkReference", g.outcome, g.refusal_reason AS "refusalReason",
  g.state, g.completed_at AS "completedAt"`;

export interface NewGatewayRefund extends Omit<GatewayRefund, 'state' | 'completedAt'> {
  readonly paymentRequestId: string;
  readonly dueSeconds: number;
}

/** Writes a refund once, however often it is handed over. */
export const insertGatewayRefund = execute<[refund: NewGatewayRefund]>(
  'gateway-refund-insert',
  `INSERT INTO gateway_refunds
     (refund_id, payment_request_id, amount_cents, network_reference, outcome,
      refusal_reason, due_at)
   VALUES ($1, $2, $3, $4, $5, $6, service_now() + make_interval(secs => $7))
   ON CONFLICT (refund_id) DO NOTHING`,
  valuesOf(
    'refundId',
    'paymentRequestId',
    'amountCents',
    'networkReference',
    'outcome',
    'refusalReason',
    'dueSeconds',
  ),
);

export const findGatewayRefund = firstRow<GatewayRefund, [refundId: string]>(
  'gateway-refund-find',
  `SELECT ${COLUMNS} FROM gateway_refunds g WHERE g.refund_id = $1`,
);

/** The claim postpones the step: a process that dies with the claim leaves it to the next. */
export const claimDueGatewayRefunds = allRows<GatewayRefund, [most: number, leaseSeconds: number]>(
  'gateway-refund-claim-due',
  `WITH due AS MATERIALIZED (
     SELECT refund_id FROM gateway_refunds WHERE due_at <= service_now()
     ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   UPDATE gateway_refunds g SET due_at = service_now() + make_interval(secs => $2)
   FROM due WHERE g.refund_id = due.refund_id RETURNING ${COLUMNS}`,
);

/** @param dueSeconds until the next step; null: this state is the last */
export const saveGatewayRefundState = execute(
  'gateway-refund-save-state',
  `UPDATE gateway_refunds SET state = $3, completed_at = coalesce($4, completed_at),
     due_at = service_now() + make_interval(secs => $5)
   WHERE refund_id = $1 AND state = $2`,
  (
    { refundId, state }: GatewayRefund,
    next: GatewayRefundState,
    completedAt: Date | null,
    dueSeconds: number | null,
  ) => [refundId, state, next, completedAt, dueSeconds],
);
