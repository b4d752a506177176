import type { Executor } from '#database/database.ts';
import {
  findDeploymentId,
  findOpenRestore,
  findSettledFiles,
  noticeRestore,
} from '#database/restores/restore-store.ts';
import { type JournalledFile, readJournal } from './file-journal.ts';
import { findWrittenFiles } from './payment-file-store.ts';

/**
 * Finds the files of the folder’s journal that the database does not know, or does not know as
 * written. Such files left after the moment to which the database was restored.
 */
export async function findForgottenFiles(
  db: Executor,
  folder: string,
): Promise<readonly JournalledFile[]> {
  const files = await readJournal(folder, await findDeploymentId(db));
  if (files.length === 0) return [];
  const written = await findWrittenFiles(db, files);
  const unknown = files.filter(({ messageId }) => !written.has(messageId));
  if (unknown.length === 0) return [];
  const settled = await findSettledFiles(
    db,
    unknown.map(({ messageId }) => messageId),
  );
  return unknown.filter(({ messageId }) => !settled.has(messageId));
}

/**
 * Whether no refund may leave, because the database was restored and no operator has released the
 * refunds. The journal of the folder also shows a restore that no operator has reported.
 */
export async function areRefundsHeld(db: Executor, folder: string): Promise<boolean> {
  if ((await findForgottenFiles(db, folder)).length > 0) await noticeRestore(db, 'REFUND_FOLDER');
  return (await findOpenRestore(db)) !== null;
}
