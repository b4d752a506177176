import type { Executor } from '#database/database.ts';
import { IS_RESTORE_OPEN } from '#database/restores/restore-store.ts';
import type { BankSettings } from '#lib/bank/bank-settings.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { LoopStep, NetworkDescription } from '../network-description.ts';
import type { NetworkStatements } from '../network-statements.ts';
import { findFailing } from './connection/find-failing.ts';
import { findShowing } from './entries/case-money-store.ts';
import { eraseBankData } from './entries/erase-store.ts';
import { eraseRequestData } from './erase-request-store.ts';
import { faultOfFolder } from './files/check-folder.ts';
import { nameOf, watchAccounts } from './reconciliation/account-silence.ts';
import { findLongestWait } from './reconciliation/account-silence-store.ts';
import { bankReadings } from './reconciliation/bank-readings.ts';
import {
  countRefusedFiles,
  findStatementGaps,
  listStatements,
} from './reconciliation/statement-health-store.ts';
import { eraseRefundData } from './refunds-out/erase-store.ts';
import { findNearDebits } from './refunds-out/near-debits-store.ts';
import { findUnpayable } from './refunds-out/refunds-out.ts';

const STATEMENTS: NetworkStatements = {
  async findSilent(db, calendar) {
    const silent = (await watchAccounts(db, calendar)).filter(({ isSilent }) => isSilent);
    return silent.map((each) => ({ name: nameOf(each), workingDays: each.workingDays }));
  },
  findGaps: findStatementGaps,
  countRefused: countRefusedFiles,
  findLongestWait,
  findFailing,
  list: listStatements,
  findNearDebits,
};

const STEPS: readonly LoopStep[] = [
  {
    name: 'bank file',
    id: 'id',
    table: 'bank_files',
    isLeft: `state IN ('RECEIVED', 'STAGED')`,
    dueAt: 'received_at',
  },
  {
    name: 'report of the movement',
    id: 'id',
    table: 'bank_movements',
    isLeft: `reported_at IS NULL AND outcome <> 'WAITING'`,
    dueAt: 'created_at',
  },
  {
    name: 'payment file',
    id: 'message_id',
    table: 'bank_payment_files',
    // A restore holds the files until an operator releases it; connections have their own check.
    isLeft: `written_at IS NULL AND connection IS NULL AND NOT ${IS_RESTORE_OPEN}`,
    dueAt: 'created_at',
  },
];

/** Ordinary credit transfers, found in the statements of the merchants' banks. */
export const BANK_TRANSFER: NetworkDescription<{
  readonly bank: BankSettings;
  readonly currency: string;
  readonly secretsKey: RotatingKey;
}> = {
  isSimulated: ({ bank }) => bank.isDemo,
  canRefund: () => true,
  findUnpayable,
  async load({ bank }) {
    const { createBankTransferNetwork } = await import('./bank-transfer-network.ts');
    return createBankTransferNetwork(bank);
  },
  findFaults({ bank: { filesDir } }) {
    const fault = filesDir === null ? null : faultOfFolder(filesDir);
    return fault === null ? [] : [fault];
  },
  accounts: { findShowing },
  statements: STATEMENTS,
  readings: ({ bank }) => bankReadings(bank.calendar),
  steps: STEPS,
  eraseTexts: eraseRequestData,
  async eraseAccounts(tx: Executor, paymentRequestIds: readonly string[]) {
    await eraseRefundData(tx, paymentRequestIds);
    await eraseBankData(tx, paymentRequestIds);
  },
};
