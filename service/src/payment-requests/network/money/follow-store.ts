import type { Executor, Statement } from '#database/database.ts';
import { allRows } from '#database/statements.ts';
import type { NamingCase } from '#payment-requests/model/money/waiting.ts';
import { sqlListOfHoldingKinds } from '#payment-requests/status/money-case-store.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';

/** A case about money that has arrived, held for an operator or in parts. */
export interface StoredCase extends NamingCase {
  readonly kind: OperatorCaseKind;
  readonly openedAt: Date;
  readonly networkReference: string | null;
  /** null: the case names one movement. */
  readonly networkReferences: string[] | null;
}

/**
 * The cases about arrived money of payment requests, and those with these ids, open and closed, the
 * latest last.
 *
 * Reads the index operator_cases_of_payment_request, and the primary key.
 */
export const findCasesAboutMoney = allRows<
  StoredCase,
  [paymentRequestIds: readonly string[], caseIds: readonly string[]]
>(
  'network-money-find-cases',
  `SELECT id::text, kind, payment_request_id::text AS "paymentRequestId",
     closed_at IS NULL AS "isOpen", settlement, opened_at AS "openedAt",
     details ->> 'networkReference' AS "networkReference",
     details -> 'networkReferences' AS "networkReferences"
   FROM operator_cases
   WHERE (payment_request_id = ANY ($1::uuid[]) OR id = ANY ($2::uuid[]))
     AND kind IN ('PART_PAYMENT', 'NOT_ON_STATEMENT', ${sqlListOfHoldingKinds()})
   ORDER BY opened_at, id`,
);

const SAVE_THERE: Statement = {
  name: 'network-money-save-there',
  text: `UPDATE network_requests n SET there_cents = c.cents
         FROM unnest($1::uuid[], $2::bigint[]) AS c (id, cents)
         WHERE n.payment_request_id = c.id`,
};

/** Writes the sums that networks' pages show; a trigger passes them on. */
export async function saveThere(tx: Executor, sums: ReadonlyMap<string, number>): Promise<void> {
  if (sums.size === 0) return;
  await tx.query(SAVE_THERE, [[...sums.keys()], [...sums.values()]]);
}
