import { columnsOf } from '#database/columns.ts';
import type { Executor, Statement } from '#database/database.ts';
import { execute } from '#database/statements.ts';
import type { NewOperatorCase } from '#payment-requests/model/plan-change.ts';

/** The unique index operator_cases_once decides which cases are equal. */
const INSERT: Statement = {
  name: 'operator-case-open',
  text: `INSERT INTO operator_cases (id, kind, payment_request_id, details, opened_at, merchant_id)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::jsonb[], $5::timestamptz[],
           $6::text[])
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
    ...columnsOf(cases)('id', 'kind', 'paymentRequestId'),
    cases.map(({ details }) => JSON.stringify(details)),
    ...columnsOf(cases)('openedAt', 'merchantId'),
  ]);
  return rows.map(({ id }) => id);
}

/** Only operator-cases.ts may call this function. */
export const closePartCasesOf = execute<[paymentRequestIds: readonly string[], closedAt: Date]>(
  'operator-case-close-part-cases',
  `UPDATE operator_cases SET closed_at = $2
   WHERE kind = 'PART_PAYMENT' AND closed_at IS NULL
     AND payment_request_id = ANY ($1::uuid[])`,
);

/** Only operator-cases.ts may call this function. */
export const closeCases = execute<[ids: readonly string[], closedAt: Date]>(
  'operator-case-close-overtaken',
  `UPDATE operator_cases SET closed_at = $2
   WHERE id = ANY ($1::uuid[]) AND closed_at IS NULL`,
);

/** Only operator-cases.ts may call this function. */
export const reopen = execute<[ids: readonly string[]]>(
  'operator-case-reopen',
  `UPDATE operator_cases SET closed_at = NULL, settlement = NULL
   WHERE id = ANY ($1::uuid[]) AND closed_at IS NOT NULL`,
);
