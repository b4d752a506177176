import type { Executor, Statement } from '#database/database.ts';
import type { ApprovalPolicy } from './acts/act-type.ts';

const FIND: Statement = {
  name: 'approval-policy-find',
  text: `SELECT approvals_on AS "isOn", approval_refunds_above_cents AS "refundsAboveCents"
         FROM deployment`,
};

/** Processes that start at once follow each other. */
const LOCK: Statement = { name: 'approval-policy-lock', text: `${FIND.text} FOR UPDATE` };

const SAVE: Statement = {
  name: 'approval-policy-save',
  text: 'UPDATE deployment SET approvals_on = $1, approval_refunds_above_cents = $2',
};

/** A database without a deployment has no acts. */
const OFF: ApprovalPolicy = { isOn: false, refundsAboveCents: 0 };

/** The policy that the service last started with. */
export async function findPolicy(db: Executor): Promise<ApprovalPolicy> {
  return (await db.query<ApprovalPolicy>(FIND))[0] ?? OFF;
}

export async function lockPolicy(tx: Executor): Promise<ApprovalPolicy> {
  return (await tx.query<ApprovalPolicy>(LOCK))[0] ?? OFF;
}

export async function savePolicy(
  tx: Executor,
  { isOn, refundsAboveCents }: ApprovalPolicy,
): Promise<void> {
  await tx.query(SAVE, [isOn, refundsAboveCents]);
}
