import type { Executor } from '#database/database.ts';
import { IS_RESTORE_OPEN } from '#database/restores/restore-store.ts';
import type { BankSettings } from '#lib/bank/bank-settings.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { LoopStep, NetworkDescription } from '../network-description.ts';
import type { NetworkStatements } from '../network-statements.ts';
import { findFailing, findUnread } from './connection/find-failing.ts';
import { findShowing } from './entries/case-money-store.ts';
import { eraseBankData } from './entries/erase-store.ts';
import { eraseRequestData } from './erase-request-store.ts';
import { faultOfFolder } from './files/check-folder.ts';
import { withheldSentence } from './files/withheld-sentence.ts';
import { nameOf, watchAccounts } from './reconciliation/account-silence.ts';
import { findLongestWait } from './reconciliation/account-silence-store.ts';
import { bankReadings } from './reconciliation/bank-readings.ts';
import {
  countRefusedFiles,
  findStatementGaps,
  findWithheldFiles,
  listStatements,
} from './reconciliation/statement-health-store.ts';
import { eraseRefundData } from './refunds-out/erase-store.ts';
import { findNearDebits } from './refunds-out/near-debits-store.ts';
import { findUnpayable } from './refunds-out/refunds-out.ts';
import { countUploadTokens, findSendAccounts } from './tokens/token-store.ts';

const STATEMENTS: NetworkStatements = {
  async findSilent(db, calendar) {
    const silent = (await watchAccounts(db, calendar)).filter(({ isSilent }) => isSilent);
    return silent.map((each) => ({ name: nameOf(each), workingDays: each.workingDays }));
  },
  findGaps: findStatementGaps,
  countRefused: countRefusedFiles,
  async findWithheld(db, most) {
    const files = await findWithheldFiles(db, most);
    return files.map(({ id, withheld }) => `Bank file ${id}: ${withheldSentence(withheld)}`);
  },
  findLongestWait,
  findFailing,
  findUnread,
  list: listStatements,
  findNearDebits,
};

const NO_WAY =
  'BANK_FILES_DIR is not set: E_TRANSFER_NETWORK=bank-transfer needs the folder in which the ' +
  'bank’s statements arrive, BANK_SFTP_STATEMENTS, or a token: payreq token create --scope ' +
  'bank-files/write.';

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
  async findFaults({ bank: { filesDir, connections } }, db) {
    const fault = filesDir === null ? null : faultOfFolder(filesDir);
    const ways = [filesDir, ...connections.flatMap(({ incoming }) => incoming)];
    const hasWay = ways.some(Boolean) || (await countUploadTokens(db)) > 0;
    const programs = await findSendAccounts(db);
    const twice = connections
      .filter(({ payments }) => payments !== null)
      .flatMap(({ accounts }) => accounts.filter((each) => programs.includes(each)));
    return [
      ...(fault === null ? [] : [fault]),
      ...(hasWay ? [] : [NO_WAY]),
      ...twice.map(
        (account) =>
          `Payment files of …${account.slice(-4)} would leave by BANK_SFTP_PAYMENTS and by a ` +
          'token: take the account out of the one, or payreq token revoke the other.',
      ),
    ];
  },
  async programs({ bank: { refundsDir }, secretsKey }) {
    const { registerProgramRoutes } = await import('./programs/routes.ts');
    return (app, deps) =>
      registerProgramRoutes(app, { ...deps, secretsKey, journalFolder: refundsDir });
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
