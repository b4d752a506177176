import type { Executor, Statement } from '#database/database.ts';

const FIND: Statement = {
  name: 'bank-demo-find',
  text: 'SELECT is_bank_demo AS "isDemo" FROM deployment',
};

/** Processes that start at once follow each other. */
const LOCK: Statement = {
  name: 'bank-demo-lock',
  text: 'SELECT is_bank_demo AS "isDemo" FROM deployment FOR UPDATE',
};

const MARK: Statement = {
  name: 'bank-demo-mark',
  text: 'UPDATE deployment SET is_bank_demo = true',
};

/** Whether the database holds made accounts and made money. */
export async function isBankDemo(db: Executor): Promise<boolean> {
  return (await db.query<{ isDemo: boolean }>(FIND))[0]?.isDemo ?? false;
}

export async function lockBankDemo(tx: Executor): Promise<boolean> {
  return (await tx.query<{ isDemo: boolean }>(LOCK))[0]?.isDemo ?? false;
}

export async function markBankDemo(tx: Executor): Promise<void> {
  await tx.query(MARK);
}
