import type { Executor, Statement } from '#database/database.ts';
import { isUnfinished, sqlListOf } from '#payment-requests/model/statuses.ts';
import { isRefundOpen, sqlListOfRefunds } from '#refunds/model/statuses.ts';

/** The facts that a database keeps of its deployment (decisions 0051 and 0062). */
export interface RecordedDeployment extends RecordedMoney {
  /** The database holds made accounts and made money. */
  readonly isDemo: boolean;
  /** null: none is recorded yet. */
  readonly cell: number | null;
}

/** The currency and the network of the database; currency null: none is recorded yet. */
export interface RecordedMoney {
  readonly currency: string | null;
  /** null: a sandbox, which has no network. */
  readonly network: string | null;
}

const NOTHING: RecordedDeployment = {
  currency: null,
  network: null,
  isDemo: false,
  cell: null,
};

const FIND: Statement = {
  name: 'deployment-find',
  text: 'SELECT currency, network, is_bank_demo AS "isDemo", cell FROM deployment',
};

/** Processes that start at once follow each other. */
const LOCK: Statement = { name: 'deployment-lock', text: `${FIND.text} FOR UPDATE` };

const RECORD_MONEY: Statement = {
  name: 'deployment-record-money',
  text: 'UPDATE deployment SET currency = $1, network = $2',
};

const MARK_DEMO: Statement = {
  name: 'deployment-mark-demo',
  text: 'UPDATE deployment SET is_bank_demo = true',
};

const RECORD_CELL: Statement = {
  name: 'deployment-record-cell',
  text: 'UPDATE deployment SET cell = $1',
};

const HAS_MERCHANTS: Statement = {
  name: 'deployment-has-merchants',
  text: 'SELECT EXISTS (SELECT FROM merchants) AS found',
};

const HAS_AMOUNTS: Statement = {
  name: 'deployment-has-amounts',
  text: `SELECT EXISTS (SELECT FROM payment_requests)
             OR EXISTS (SELECT FROM ledger_entries) AS found`,
};

const HAS_OPEN: Statement = {
  name: 'deployment-has-open',
  text: `SELECT EXISTS (SELECT FROM payment_requests
                        WHERE status IN (${sqlListOf(isUnfinished)}))
             OR EXISTS (SELECT FROM refunds
                        WHERE status IN (${sqlListOfRefunds(isRefundOpen)})) AS found`,
};

export async function findDeployment(db: Executor): Promise<RecordedDeployment> {
  return (await db.query<RecordedDeployment>(FIND))[0] ?? NOTHING;
}

export async function lockDeployment(tx: Executor): Promise<RecordedDeployment> {
  return (await tx.query<RecordedDeployment>(LOCK))[0] ?? NOTHING;
}

export async function recordMoney(tx: Executor, { currency, network }: RecordedMoney) {
  await tx.query(RECORD_MONEY, [currency, network]);
}

export async function markBankDemo(tx: Executor): Promise<void> {
  await tx.query(MARK_DEMO);
}

export async function recordCell(tx: Executor, cell: number): Promise<void> {
  await tx.query(RECORD_CELL, [cell]);
}

/** Whether a name with the mark of a cell may be in use. */
export async function hasMerchants(tx: Executor): Promise<boolean> {
  return (await tx.query<{ found: boolean }>(HAS_MERCHANTS))[0]?.found ?? false;
}

/** Whether any amount is stored: amounts carry no currency of their own. */
export async function hasAmounts(tx: Executor): Promise<boolean> {
  return (await tx.query<{ found: boolean }>(HAS_AMOUNTS))[0]?.found ?? false;
}

/** Whether a payment request can still be paid, or a refund is on its way. */
export async function hasOpenMoney(tx: Executor): Promise<boolean> {
  return (await tx.query<{ found: boolean }>(HAS_OPEN))[0]?.found ?? false;
}
