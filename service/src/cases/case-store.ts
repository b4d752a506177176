import type { Executor, Statement } from '#database/database.ts';
import { sqlListOfHoldingKinds } from '#payment-requests/status/money-case-store.ts';
import { sqlListOfRefunds, takesNoMoney } from '#refunds/model/statuses.ts';
import type { Settlement } from './model/case-kinds.ts';
import type { OperatorCase } from './model/operator-case.ts';

/** A page of a terminal or two; an operator with more looks at the dashboard first. */
const MOST = 100;

const COLUMNS = `id::text, kind, payment_request_id::text AS "paymentRequestId",
           merchant_id AS "merchantId", details, opened_at AS "openedAt", closed_at AS "closedAt",
           settlement`;

const LIST: Statement = {
  name: 'cases-list',
  text: `SELECT ${COLUMNS} FROM operator_cases WHERE closed_at IS NULL OR $1
         ORDER BY opened_at DESC LIMIT $2`,
};

const FIND: Statement = {
  name: 'cases-find',
  text: `SELECT ${COLUMNS} FROM operator_cases WHERE id = $1`,
};

/** Two operators at once settle a case once. */
const LOCK: Statement = {
  name: 'cases-lock',
  text: `SELECT ${COLUMNS} FROM operator_cases WHERE id = $1 FOR UPDATE`,
};

const SETTLE: Statement = {
  name: 'cases-settle',
  text: `UPDATE operator_cases SET settlement = $2, closed_at = coalesce(closed_at, $3)
         WHERE id = $1`,
};

/** A refund that failed leaves its money where it was. */
const HAS_LIVE_REFUND: Statement = {
  name: 'cases-has-live-refund',
  text: `SELECT EXISTS (SELECT FROM refunds
           WHERE operator_case_id = $1
             AND status NOT IN (${sqlListOfRefunds(takesNoMoney)})) AS found`,
};

/** The latest cases, newest first; closed ones too where `all`. */
export function listCases(db: Executor, all: boolean): Promise<OperatorCase[]> {
  return db.query(LIST, [all, MOST]);
}

export async function findCase(db: Executor, id: string): Promise<OperatorCase | null> {
  return (await db.query<OperatorCase>(FIND, [id]))[0] ?? null;
}

/** Reads a case that no other operator can settle until the transaction ends. */
export async function lockCase(tx: Executor, id: string): Promise<OperatorCase | null> {
  return (await tx.query<OperatorCase>(LOCK, [id]))[0] ?? null;
}

export async function saveSettlement(
  tx: Executor,
  id: string,
  settlement: Settlement,
  at: Date,
): Promise<void> {
  await tx.query(SETTLE, [id, settlement, at]);
}

/** Whether a refund of the case is on its way or done. */
export async function hasLiveRefund(tx: Executor, id: string): Promise<boolean> {
  return (await tx.query<{ found: boolean }>(HAS_LIVE_REFUND, [id]))[0]?.found ?? false;
}

/** A part that an operator assigned counts like one that arrived. */
const FIND_PARTS: Statement = {
  name: 'cases-find-parts',
  text: `SELECT network_reference AS "networkReference", amount_cents AS "amountCents"
         FROM ledger_entries
         WHERE payment_request_id = $1 AND amount_cents > 0 AND network_reference IS NOT NULL
           AND type IN ('PART_PAYMENT', 'ASSIGNED')
         ORDER BY position`,
};

export interface Part {
  readonly networkReference: string;
  readonly amountCents: number;
}

/** The parts that have arrived for a payment request, in their order. */
export function findParts(tx: Executor, paymentRequestId: string): Promise<Part[]> {
  return tx.query(FIND_PARTS, [paymentRequestId]);
}

/**
 * The kinds that name money which waits. Each half of the first condition reads an index:
 * operator_cases_by_reference, operator_cases_by_references.
 */
const ABOUT = `SELECT ${COLUMNS} FROM operator_cases
         WHERE (details ->> 'networkReference' = $1 OR details -> 'networkReferences' ? $1)
           AND kind IN (${sqlListOfHoldingKinds()})
         ORDER BY id`;

export const FIND_ABOUT: Statement = { name: 'cases-find-about', text: ABOUT };
const LOCK_ABOUT: Statement = {
  name: 'cases-lock-about',
  text: `${ABOUT} FOR UPDATE`,
};

/** The cases about money that waits or waited under a network reference, the latest last. */
export function findCasesAbout(db: Executor, reference: string): Promise<OperatorCase[]> {
  return db.query(FIND_ABOUT, [reference]);
}

/** Like `findCasesAbout`; no other operator can settle them until the transaction ends. */
export function lockCasesAbout(tx: Executor, reference: string): Promise<OperatorCase[]> {
  return tx.query(LOCK_ABOUT, [reference]);
}
