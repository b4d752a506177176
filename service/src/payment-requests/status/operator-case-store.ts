import type { Executor, Statement } from '#database/database.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';

/** A report may come many times, also in two transactions at once; the same fact is one case. */
const OPEN: Statement = {
  name: 'operator-case-open',
  text: `INSERT INTO operator_cases (id, kind, payment_request_id, details, opened_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id`,
};

const HAS_OPEN_MONEY_CASE: Statement = {
  name: 'operator-case-has-open-money-case',
  text: `SELECT FROM operator_cases
         WHERE closed_at IS NULL AND payment_request_id = $1 AND kind = ANY ($2::text[]) LIMIT 1`,
};

/** Money has arrived, and cannot be the payment that was asked for. */
const MONEY_CASES: readonly OperatorCaseKind[] = [
  'AMOUNT_MISMATCH',
  'CURRENCY_MISMATCH',
  'REFERENCE_REUSED',
];

/** What only a person can settle. */
export interface OperatorCase {
  readonly id: string;
  readonly kind: OperatorCaseKind;
  readonly paymentRequestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly openedAt: Date;
}

/** Opens a case, unless there is the same one already. @returns whether it is a new one. */
export async function openOperatorCase(tx: Executor, found: OperatorCase): Promise<boolean> {
  const opened = await tx.query(OPEN, [
    found.id,
    found.kind,
    found.paymentRequestId,
    JSON.stringify(found.details),
    found.openedAt,
  ]);
  return opened.length > 0;
}

/** Whether money that is not the payment asked for waits for an operator. */
export async function hasOpenMoneyCase(tx: Executor, paymentRequestId: string): Promise<boolean> {
  return (await tx.query(HAS_OPEN_MONEY_CASE, [paymentRequestId, MONEY_CASES])).length > 0;
}
