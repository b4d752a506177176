import type { Executor, Statement } from '#database/database.ts';

/** The currency and the network of the database; currency null: none is recorded yet. */
export interface RecordedMoney {
  readonly currency: string | null;
  /** null: a sandbox, which has no network. */
  readonly network: string | null;
}

const FIND: Statement = {
  name: 'deployment-money-find',
  text: 'SELECT currency, network FROM deployment',
};

/** Processes that start at once follow each other. */
const LOCK: Statement = {
  name: 'deployment-money-lock',
  text: 'SELECT currency, network FROM deployment FOR UPDATE',
};

const RECORD: Statement = {
  name: 'deployment-money-record',
  text: 'UPDATE deployment SET currency = $1, network = $2',
};

const HAS_AMOUNTS: Statement = {
  name: 'deployment-money-has-amounts',
  text: `SELECT EXISTS (SELECT FROM payment_requests)
             OR EXISTS (SELECT FROM ledger_entries) AS found`,
};

const HAS_OPEN: Statement = {
  name: 'deployment-money-has-open',
  text: `SELECT EXISTS (SELECT FROM payment_requests WHERE status IN ('CREATED', 'PROCESSING'))
             OR EXISTS (SELECT FROM refunds WHERE status IN ('CREATED', 'PROCESSING')) AS found`,
};

export async function findRecordedMoney(db: Executor): Promise<RecordedMoney> {
  return (await db.query<RecordedMoney>(FIND))[0] ?? { currency: null, network: null };
}

export async function lockRecordedMoney(tx: Executor): Promise<RecordedMoney> {
  return (await tx.query<RecordedMoney>(LOCK))[0] ?? { currency: null, network: null };
}

export async function recordMoney(tx: Executor, { currency, network }: RecordedMoney) {
  await tx.query(RECORD, [currency, network]);
}

/** Whether any amount is stored: amounts carry no currency of their own. */
export async function hasAmounts(tx: Executor): Promise<boolean> {
  return (await tx.query<{ found: boolean }>(HAS_AMOUNTS))[0]?.found ?? false;
}

/** Whether a payment request can still be paid, or a refund is on its way. */
export async function hasOpenMoney(tx: Executor): Promise<boolean> {
  return (await tx.query<{ found: boolean }>(HAS_OPEN))[0]?.found ?? false;
}
