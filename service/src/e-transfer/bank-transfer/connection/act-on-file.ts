import type { Database, Executor } from '#database/database.ts';
import { sharedKeyOf } from '#lib/bank/account-number.ts';
import { type BankConnection, payingConnection } from '#lib/bank/bank-connection.ts';
import { FileActRefused } from '../../file-act-refused.ts';
import {
  type FileAct,
  type FileActor,
  type FileActPolicy,
  type PaymentFileRow,
  PROGRAM_WAY,
} from '../../network-connection.ts';
import { findSendAccounts } from '../tokens/token-store.ts';
import { askForRound } from './connection-store.ts';
import {
  lockPaymentFile,
  noteAsked,
  releaseFile,
  settleAsLost,
  settleAsSent,
  setWay,
} from './sent-file-store.ts';

export interface FileActDeps extends FileActPolicy {
  readonly db: Database;
  /** BANK_SFTP_… */
  readonly connections: readonly BankConnection[];
}

/**
 * Does an act on a payment file, or notes that a person has asked for it where two must.
 *
 * @returns DONE, or ASKED: another person must ask for the same
 * @throws FileActRefused
 */
export async function actOnFile(
  { db, connections, needsTwo, audit }: FileActDeps,
  messageId: string,
  asked: FileAct,
  { actor, isProven }: FileActor,
): Promise<'DONE' | 'ASKED'> {
  return db.transaction(async (tx) => {
    const file = await lockPaymentFile(tx, messageId);
    if (!file) throw new FileActRefused('paymentFile.unknown');
    const refusal =
      refusalOf(connections, file, asked) ?? (await refusalOfProgram(tx, file, asked));
    if (refusal !== null) throw refusal;
    const name = asked.act === 'set-way' ? `set-way ${asked.connection ?? 'folder'}` : asked.act;
    const { totalCents, refunds, connection, askedBy } = file;
    const details = { messageId, act: name, refunds, totalCents, connection };
    const isSecond = askedBy.some(
      (each) => each.startsWith(`${name}:`) && each !== `${name}:${actor}`,
    );
    if (needsTwo && !(isSecond && isProven)) {
      // A person who could not be the second counts as the first.
      await noteAsked(tx, messageId, `${name}:${actor}`);
      await audit(tx, 'BANK_PAYMENT_FILE_ASKED', details);
      return 'ASKED';
    }
    if (asked.act === 'release') await releaseFile(tx, messageId);
    else if (asked.act === 'settle-as-sent') await settleAsSent(tx, messageId);
    else if (asked.act === 'set-way') await setWay(tx, messageId, asked.connection);
    else await settleAsLost(tx, messageId);
    // A person waits for the end of it.
    if (connection !== null) await askForRound(tx, connection);
    await audit(tx, 'BANK_PAYMENT_FILE_ACT', details);
    return 'DONE';
  });
}

async function refusalOfProgram(
  tx: Executor,
  { account }: PaymentFileRow,
  asked: FileAct,
): Promise<FileActRefused | null> {
  if (asked.act !== 'set-way' || asked.connection !== PROGRAM_WAY) return null;
  const isOfProgram = (await findSendAccounts(tx)).includes(sharedKeyOf(account));
  return isOfProgram ? null : new FileActRefused('paymentFile.noToken');
}

function refusalOf(
  connections: readonly BankConnection[],
  { account, state, connection, hasBegun, isList, refundsOver }: PaymentFileRow,
  asked: FileAct,
): FileActRefused | null {
  if (asked.act === 'release') {
    if (connection === null) return new FileActRefused('paymentFile.folder');
    if (refundsOver > 0) return new FileActRefused('paymentFile.refundsOver', { refundsOver });
    return state === 'WAITING' ? null : new FileActRefused('paymentFile.noRelease', { state });
  }
  if (asked.act !== 'set-way') {
    return state === 'UNCLEAR' ? null : new FileActRefused('paymentFile.notUnclear');
  }
  if (state === 'SENT') return new FileActRefused('paymentFile.left');
  if (isList) return new FileActRefused('paymentFile.list');
  const { connection: way } = asked;
  const isProgram = way === PROGRAM_WAY;
  if (way !== null && !isProgram && payingConnection(connections, account)?.number !== way) {
    return new FileActRefused('paymentFile.otherConnection', { way });
  }
  const isLeaving = hasBegun || state === 'UNCLEAR';
  return isLeaving ? new FileActRefused('paymentFile.begun') : null;
}
