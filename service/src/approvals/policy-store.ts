import type { Executor, Statement } from '#database/database.ts';
import { execute, firstRowOr, valuesOf } from '#database/statements.ts';
import type { ApprovalPolicy } from './acts/act-type.ts';

const FIND: Statement = {
  name: 'approval-policy-find',
  text: `SELECT approvals_on AS "isOn", approval_refunds_above_cents AS "refundsAboveCents"
         FROM deployment`,
};

/** A database without a deployment has no acts. */
const OFF: ApprovalPolicy = { isOn: false, refundsAboveCents: 0 };

/** The policy that the service last started with. */
export async function findPolicy(db: Executor): Promise<ApprovalPolicy> {
  return (await db.query<ApprovalPolicy>(FIND))[0] ?? OFF;
}

/** Processes that start at once follow each other. */
export const lockPolicy = firstRowOr<ApprovalPolicy>(
  'approval-policy-lock',
  `${FIND.text} FOR UPDATE`,
  OFF,
);

export const savePolicy = execute<[policy: ApprovalPolicy]>(
  'approval-policy-save',
  'UPDATE deployment SET approvals_on = $1, approval_refunds_above_cents = $2',
  valuesOf('isOn', 'refundsAboveCents'),
);
