import type { Executor, Statement } from '#database/database.ts';
import type { OperatorCaseKind } from '#telemetry/network-metrics.ts';

/** A report may come many times; the same fact is one case. */
const OPEN: Statement = {
  name: 'operator-case-open',
  text: `INSERT INTO operator_cases (id, kind, payment_request_id, details, opened_at)
         SELECT $1, $2, $3, $4, $5
         WHERE NOT EXISTS (
           SELECT FROM operator_cases
           WHERE kind = $2 AND payment_request_id IS NOT DISTINCT FROM $3::uuid
             AND details = $4::jsonb)
         RETURNING id`,
};

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
