import type { Executor, Statement } from '#database/database.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';

const FIND: Statement = {
  name: 'operator-case-find-open-money-cases',
  text: `SELECT DISTINCT payment_request_id AS id FROM operator_cases
         WHERE closed_at IS NULL AND payment_request_id = ANY ($1::uuid[])
           AND kind = ANY ($2::text[])`,
};

/** Money has arrived that cannot be the payment asked for. */
const MONEY_CASES: readonly OperatorCaseKind[] = [
  'AMOUNT_MISMATCH',
  'CURRENCY_MISMATCH',
  'REFERENCE_REUSED',
];

/** The kinds of cases whose details name money that has arrived and that an operator settles. */
const HOLDING_CASES: readonly OperatorCaseKind[] = [
  'AMOUNT_MISMATCH',
  'CURRENCY_MISMATCH',
  'SECOND_PAYMENT',
  'UNKNOWN_PAYMENT_REQUEST',
  'WRONG_ACCOUNT',
  'AMBIGUOUS_REFERENCE',
  'AMOUNT_ABOVE_LIMIT',
  'UNMATCHED_MONEY',
];

export function holdsMoney(kind: OperatorCaseKind): boolean {
  return HOLDING_CASES.includes(kind);
}

export function sqlListOfHoldingKinds(): string {
  return HOLDING_CASES.map((kind) => `'${kind}'`).join(', ');
}

/** Those of the payment requests for which an open case holds money. */
export async function findOpenMoneyCases(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paymentRequestIds.length === 0) return new Set();
  const values = [paymentRequestIds, MONEY_CASES];
  const rows = await tx.query<{ id: string }>(FIND, values);
  return new Set(rows.map(({ id }) => id));
}

/** Whether a kind of case is about money that has arrived. */
export function isMoneyCase(kind: OperatorCaseKind): boolean {
  return MONEY_CASES.includes(kind);
}
