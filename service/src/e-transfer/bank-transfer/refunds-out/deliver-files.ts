import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseDeps } from '#database/database.ts';
import { findDeploymentId } from '#database/restores/restore-store.ts';
import { passFailpoint } from '#lib/failpoints/failpoint.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { decryptBytes } from '#lib/secrets/secret-box.ts';
import type { FileFormat } from './bank-refund.ts';
import { appendToJournal } from './file-journal.ts';
import {
  findFilesWrittenAs,
  findPaymentFile,
  listRefundsOfFile,
  listUnwrittenFiles,
  markWritten,
  type StoredPaymentFile,
} from './payment-file-store.ts';
import { bytesContext } from './send-refunds.ts';

/** Temporary names: no program that fetches `*.xml` takes a file that is not complete. */
const TEMPORARY = /^\.PRS-[0-9A-Z-]+\.[0-9a-f]{16}\.part$/;
/** Each file is a moment's work; the next run takes the rest. */
const MOST_FILES = 100;
/** Account numbers stand in it: for the service's user alone. */
const FILE_MODE = 0o600;
/** A process notes its temporary file within seconds; an older file is that of a dead process. */
const ABANDONED_MS = 3_600_000;

export interface DeliverDeps extends DatabaseDeps {
  readonly secretsKey: RotatingKey;
  /** BANK_REFUNDS_DIR, if the files go to another folder: its journal names those files, too. */
  readonly journalFolder?: string | null;
}

export interface DeliveredFile {
  readonly messageId: string;
  readonly path: string;
  readonly refunds: number;
  readonly totalCents: number;
}

const ENDINGS: Readonly<Record<FileFormat, string>> = { PAIN_001: 'xml', LIST: 'csv' };

type NamedFile = Pick<StoredPaymentFile, 'messageId' | 'format'>;
const fileNameOf = ({ messageId, format }: NamedFile) => `${messageId}.${ENDINGS[format]}`;

/**
 * Writes the committed payment files that no folder has yet. A crash at any moment leaves each file
 * in the folder exactly once. The complete file gets a temporary name, the database notes that
 * name, the journal of the folder names the file. Only then the file gets its final name.
 */
export async function deliverPaymentFiles(
  deps: DeliverDeps,
  folder: string,
): Promise<DeliveredFile[]> {
  await finishRenames(deps, folder);
  const delivered: DeliveredFile[] = [];
  for (const file of await listUnwrittenFiles(deps.db, MOST_FILES)) {
    const path = await deliver(deps, file, folder);
    if (path !== null) delivered.push({ ...summaryOf(file), path });
  }
  return delivered;
}

/**
 * Writes a stored file once more, with the same bytes: as a copy, which no program of a bank takes.
 * Only a file that no folder had yet, and that leaves by a folder, leaves now as any other.
 *
 * @returns null: the file is not known any more
 */
export async function writePaymentFileAgain(
  deps: DeliverDeps,
  messageId: string,
  folder: string,
): Promise<(DeliveredFile & { readonly isCopy: boolean }) | null> {
  const file = await findPaymentFile(deps.db, messageId);
  if (!file?.bytesEncrypted) return null;
  const temporary = await writeTemporary(deps, file, folder);
  const isCopy = !(await markWritten(deps.db, messageId, temporary));
  const copy = join(folder, `${messageId}.copy`);
  if (isCopy) await rename(join(folder, temporary), copy);
  else await writeDown(deps, folder, messageId);
  const path = isCopy ? copy : await giveFinalName(folder, file, temporary);
  return { ...summaryOf(file), path, isCopy };
}

const summaryOf = ({ messageId, refunds, totalCents }: StoredPaymentFile) => ({
  messageId,
  refunds,
  totalCents,
});

async function deliver(
  deps: DeliverDeps,
  file: StoredPaymentFile,
  folder: string,
): Promise<string | null> {
  const { messageId } = file;
  const temporary = await writeTemporary(deps, file, folder);
  if (!(await markWritten(deps.db, messageId, temporary))) {
    // Another process was first; its file is the one.
    await rm(join(folder, temporary), { force: true });
    return null;
  }
  await writeDown(deps, folder, messageId);
  const path = await giveFinalName(folder, file, temporary);
  passFailpoint('payment-file-named');
  return path;
}

/** The database has noted the file by now: the journal names no file that may still be dropped. */
export async function writeDown(
  { db, clock, journalFolder }: Omit<DeliverDeps, 'secretsKey'>,
  folder: string | null,
  messageId: string,
): Promise<void> {
  const refunds = await listRefundsOfFile(db, messageId);
  const writtenAt = clock.now().toISOString();
  const deploymentId = await findDeploymentId(db);
  for (const each of new Set([journalFolder ?? folder, folder])) {
    if (each !== null) await appendToJournal(each, deploymentId, { messageId, writtenAt, refunds });
  }
}

async function writeTemporary(
  { secretsKey }: DeliverDeps,
  { messageId, bytesEncrypted }: StoredPaymentFile,
  folder: string,
): Promise<string> {
  if (!bytesEncrypted) throw new Error(`payment file ${messageId} has no bytes`);
  const bytes = decryptBytes(secretsKey, bytesEncrypted, bytesContext(messageId));
  const temporary = `.${messageId}.${randomBytes(8).toString('hex')}.part`;
  // The flag wx follows no link that another program may have made.
  const handle = await open(join(folder, temporary), 'wx', FILE_MODE);
  try {
    const half = bytes.length >> 1;
    await handle.writeFile(bytes.subarray(0, half));
    passFailpoint('payment-file-half-written');
    await handle.writeFile(bytes.subarray(half));
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}

async function giveFinalName(folder: string, file: NamedFile, temporary: string): Promise<string> {
  const path = join(folder, fileNameOf(file));
  try {
    await rename(join(folder, temporary), path);
  } catch (error) {
    // Another process found the noted name and has finished it.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return path;
}

/**
 * Renames files of a crash between the note and the final name. Removes files of a crash before the
 * note, because account numbers stand in them.
 */
async function finishRenames(deps: DeliverDeps, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => TEMPORARY.test(name));
  if (names.length === 0) return;
  const unnoted = new Set(names);
  for (const file of await findFilesWrittenAs(deps.db, names)) {
    const { messageId, writtenAs } = file;
    unnoted.delete(writtenAs);
    await writeDown(deps, folder, messageId);
    await giveFinalName(folder, file, writtenAs);
  }
  for (const name of unnoted) {
    const path = join(folder, name);
    // Another process may have noted, and renamed, its file meanwhile.
    const found = await lstat(path).catch(() => null);
    const isAbandoned = found && deps.clock.now().getTime() - found.mtimeMs > ABANDONED_MS;
    if (isAbandoned) await rm(path, { force: true });
  }
}
