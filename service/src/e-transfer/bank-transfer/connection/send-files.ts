import type { BankConnection } from '#lib/bank/bank-connection.ts';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import { decryptBytes } from '#lib/secrets/secret-box.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { BankMetrics } from '#telemetry/metrics/bank-metrics.ts';
import { type DeliverDeps, writeDown } from '../refunds-out/deliver-files.ts';
import { areRefundsHeld } from '../refunds-out/notice-restore.ts';
import { bytesContext } from '../refunds-out/send-refunds.ts';
import {
  holdFile,
  type LeavingFile,
  listLeavingFiles,
  markSent,
  markUnclear,
  notePutting,
  noteRenaming,
} from './sent-file-store.ts';
import { SftpFault } from './sftp-fault.ts';
import { inFolder, type Session } from './sftp-session.ts';

export interface SendFilesDeps extends DeliverDeps {
  readonly connection: BankConnection;
  readonly session: Session;
  readonly log: Log;
  readonly metrics: BankMetrics;
  readonly goOn: () => void;
}

/** Sends the released payment files of a connection, each under its one name. */
export async function sendFiles(deps: SendFilesDeps): Promise<void> {
  const { db, connection, goOn, journalFolder } = deps;
  const { payments, number } = connection;
  if (payments === null) return;
  if (journalFolder && (await areRefundsHeld(db, journalFolder))) return;
  for (const file of await listLeavingFiles(db, number)) {
    goOn();
    await sendFile(deps, file, inFolder(payments, `${file.messageId}.xml`));
  }
}

/**
 * Puts the file under a temporary name and renames it. Both are noted before they begin, so that
 * after a stop the server's folder says how far it came: nothing is sent before that look. If
 * the folder cannot say it, the bank may have taken the file, and a person decides. A refund that
 * ends before the rename holds the file.
 */
async function sendFile(deps: SendFilesDeps, file: LeavingFile, path: string): Promise<void> {
  const { db, session, connection } = deps;
  const { messageId, isRenaming } = file;
  const bytes = decryptBytes(deps.secretsKey, file.bytesEncrypted, bytesContext(messageId));
  const temporary = `${path}.tmp`;
  const named = await session.find(path);
  if (named && isRenaming && named.size === bytes.length) return noteSent(deps, messageId);
  if (named)
    return noteUnclear(deps, messageId, 'the folder of the bank has a file of its name already');
  if (!isRenaming) {
    if (await isHeld(deps, messageId, temporary)) return;
    if (!(await notePutting(db, messageId, connection.number))) return;
    await session.write(temporary, bytes);
    passFailpoint('sftp-payment-put');
  }
  const put = await session.find(temporary);
  if (put?.size !== bytes.length) {
    if (!isRenaming) throw new SftpFault('HALF', 'write', connection.payments ?? '');
    return noteUnclear(deps, messageId, 'the connection ended while it got its name');
  }
  if (!isRenaming && !(await noteRenaming(db, messageId))) {
    await isHeld(deps, messageId, temporary);
    return;
  }
  await writeDown(deps, deps.journalFolder ?? null, messageId);
  await session.rename(temporary, path);
  passFailpoint('sftp-payment-named');
  await noteSent(deps, messageId);
}

/** Whether the file waits for a person, who takes the payment of an ended refund out of it. */
async function isHeld(
  { db, session, log, metrics }: SendFilesDeps,
  messageId: string,
  temporary: string,
): Promise<boolean> {
  if (!(await holdFile(db, messageId))) return false;
  metrics.bankAlert('PAYMENT_FILE_HELD');
  log.error('refunds: a released payment file has a refund that ended, and waits for a person');
  if (await session.find(temporary)) await session.remove(temporary);
  return true;
}

async function noteSent({ db, log }: SendFilesDeps, messageId: string): Promise<void> {
  if (await markSent(db, messageId)) log.info('refunds: payment file sent by SFTP');
}

async function noteUnclear(
  { db, log, metrics }: SendFilesDeps,
  messageId: string,
  reason: string,
): Promise<void> {
  if (!(await markUnclear(db, messageId, reason))) return;
  metrics.bankAlert('PAYMENT_FILE_UNCLEAR');
  log.error({ reason }, 'refunds: the bank may have a payment file or not');
}
