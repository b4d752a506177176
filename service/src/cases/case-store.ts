import type { Executor, Statement } from '#database/database.ts';
import { allRows, execute, firstRowOrNull, firstValue } from '#database/statements.ts';
import { sqlListOfHoldingKinds } from '#payment-requests/status/money-case-store.ts';
import { sqlListOfRefunds, takesNoMoney } from '#refunds/model/statuses.ts';
import type { Settlement } from './model/case-kinds.ts';
import type { OperatorCase } from './model/operator-case.ts';

/** A page of a terminal or two; an operator with more looks at the dashboard first. */
const MOST = 100;

const COLUMNS = `id::text, kind, payment_request_id::text AS "paymentRequestId",
           merchant_id AS "merchantId", details, opened_at AS "openedAt", closed_at AS "closedAt",
           settlement`;

/** The latest cases, newest first; closed ones too where `all`. */
export const listCases = allRows<OperatorCase, [all: boolean]>(
  'cases-list',
  `SELECT ${COLUMNS} FROM operator_cases WHERE closed_at IS NULL OR $1
   ORDER BY opened_at DESC LIMIT $2`,
  (all) => [all, MOST],
);

export const findCase = firstRowOrNull<OperatorCase, [id: string]>(
  'cases-find',
  `SELECT ${COLUMNS} FROM operator_cases WHERE id = $1`,
);

/**
 * Reads a case that no other operator can settle until the transaction ends.
 *
 * Two operators at once settle a case once.
 */
export const lockCase = firstRowOrNull<OperatorCase, [id: string]>(
  'cases-lock',
  `SELECT ${COLUMNS} FROM operator_cases WHERE id = $1 FOR UPDATE`,
);

export const saveSettlement = execute<[id: string, settlement: Settlement, at: Date]>(
  'cases-settle',
  `UPDATE operator_cases SET settlement = $2, closed_at = coalesce(closed_at, $3)
   WHERE id = $1`,
);

/**
 * Whether a refund of the case is on its way or done.
 *
 * A refund that failed leaves its money where it was.
 */
export const hasLiveRefund = firstValue<boolean, [id: string]>(
  'cases-has-live-refund',
  `SELECT EXISTS (SELECT FROM refunds
   WHERE operator_case_id = $1
     AND status NOT IN (${sqlListOfRefunds(takesNoMoney)})) AS found`,
  false,
);

export interface Part {
  readonly networkReference: string;
  readonly amountCents: number;
}

/**
 * The parts that have arrived for a payment request, in their order.
 *
 * A part that an operator assigned counts like one that arrived.
 */
export const findParts = allRows<Part, [paymentRequestId: string]>(
  'cases-find-parts',
  `SELECT network_reference AS "networkReference", amount_cents AS "amountCents"
   FROM ledger_entries
   WHERE payment_request_id = $1 AND amount_cents > 0 AND network_reference IS NOT NULL
     AND type IN ('PART_PAYMENT', 'ASSIGNED')
   ORDER BY position`,
);

/** The latest case about each network reference, of a merchant. */
export const findCaseIds = allRows<
  { readonly reference: string; readonly id: string },
  [merchantId: string, references: readonly string[]]
>(
  'cases-find-ids',
  `SELECT DISTINCT ON (reference) details ->> 'networkReference' AS reference, id::text
   FROM operator_cases WHERE details ->> 'networkReference' = ANY ($2) AND merchant_id = $1
   ORDER BY reference, opened_at DESC`,
);

/**
 * The kinds that name money which waits. Each half of the first condition reads an index:
 * operator_cases_by_reference, operator_cases_by_references.
 */
const ABOUT = `SELECT ${COLUMNS} FROM operator_cases
         WHERE (details ->> 'networkReference' = $1 OR details -> 'networkReferences' ? $1)
           AND kind IN (${sqlListOfHoldingKinds()})
         ORDER BY id`;

export const FIND_ABOUT: Statement = { name: 'cases-find-about', text: ABOUT };
/** The cases about money that waits or waited under a network reference, the latest last. */
export function findCasesAbout(db: Executor, reference: string): Promise<OperatorCase[]> {
  return db.query(FIND_ABOUT, [reference]);
}

/** Like `findCasesAbout`; no other operator can settle them until the transaction ends. */
export const lockCasesAbout = allRows<OperatorCase, [reference: string]>(
  'cases-lock-about',
  `${ABOUT} FOR UPDATE`,
);
