import type { Executor, Statement } from '#database/database.ts';
import { execute, firstRowOr, firstValue, valuesOf } from '#database/statements.ts';
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

export async function findDeployment(db: Executor): Promise<RecordedDeployment> {
  return (await db.query<RecordedDeployment>(FIND))[0] ?? NOTHING;
}

/** Processes that start at once follow each other. */
export const lockDeployment = firstRowOr<RecordedDeployment>(
  'deployment-lock',
  `${FIND.text} FOR UPDATE`,
  NOTHING,
);

export const recordMoney = execute<[money: RecordedMoney]>(
  'deployment-record-money',
  'UPDATE deployment SET currency = $1, network = $2',
  valuesOf('currency', 'network'),
);

export const markBankDemo = execute(
  'deployment-mark-demo',
  'UPDATE deployment SET is_bank_demo = true',
);

export const recordCell = execute<[cell: number]>(
  'deployment-record-cell',
  'UPDATE deployment SET cell = $1',
);

/** Whether a name with the mark of a cell may be in use. */
export const hasMerchants = firstValue<boolean>(
  'deployment-has-merchants',
  'SELECT EXISTS (SELECT FROM merchants) AS found',
  false,
);

/** Whether any amount is stored: amounts carry no currency of their own. */
export const hasAmounts = firstValue<boolean>(
  'deployment-has-amounts',
  `SELECT EXISTS (SELECT FROM payment_requests)
   OR EXISTS (SELECT FROM ledger_entries) AS found`,
  false,
);

/** Whether a payment request can still be paid, or a refund is on its way. */
export const hasOpenMoney = firstValue<boolean>(
  'deployment-has-open',
  `SELECT EXISTS (SELECT FROM payment_requests
              WHERE status IN (${sqlListOf(isUnfinished)}))
   OR EXISTS (SELECT FROM refunds
              WHERE status IN (${sqlListOfRefunds(isRefundOpen)})) AS found`,
  false,
);
