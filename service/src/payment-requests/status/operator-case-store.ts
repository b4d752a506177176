import type { Executor, Statement } from '#database/database.ts';
import type { NewOperatorCase } from '#payment-requests/model/plan-change.ts';

/** The unique index operator_cases_once decides which cases are equal. */
const INSERT: Statement = {
  name: 'operator-case-open',
  text: `INSERT INTO operator_cases (id, kind, payment_request_id, details, opened_at)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::jsonb[], $5::timestamptz[])
         ON CONFLICT DO NOTHING RETURNING id`,
};

export interface OperatorCaseRow extends NewOperatorCase {
  readonly id: string;
  readonly openedAt: Date;
}

/** Only operator-cases.ts may call this function. @returns the ids of the rows that are new. */
export async function insertOperatorCases(
  tx: Executor,
  cases: readonly OperatorCaseRow[],
): Promise<string[]> {
  if (cases.length === 0) return [];
  const rows = await tx.query<{ id: string }>(INSERT, [
    cases.map(({ id }) => id),
    cases.map(({ kind }) => kind),
    cases.map(({ paymentRequestId }) => paymentRequestId),
    cases.map(({ details }) => JSON.stringify(details)),
    cases.map(({ openedAt }) => openedAt),
  ]);
  return rows.map(({ id }) => id);
}
