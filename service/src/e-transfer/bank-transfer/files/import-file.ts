import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { newId } from '#lib/new-id.ts';
import { decryptBytes, encryptBytes } from '#lib/secrets/secret-box.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { BankMetrics } from '#telemetry/metrics/bank-metrics.ts';
import { messageNameOf } from '../statements/message-name.ts';
import { LARGEST_STATEMENT_BYTES } from '../statements/read-statements.ts';
import { StatementFault } from '../statements/statement-fault.ts';
import {
  dropStagedEntries,
  findFile,
  markFileComplete,
  markFileStaged,
  readFilePart,
  receiveFile,
  refuseFile,
  type StoredFile,
  saveFilePart,
} from './file-store.ts';
import { isArchive, openArchive } from './open-archive.ts';
import { type StageFileDeps, stageFile } from './stage-file.ts';
import { withheldSentence } from './withheld-sentence.ts';

/** Encrypted and written in 3 ms; 100 parts hold the largest file. */
export const PART_BYTES = 256 * 1024;
/** The message by which a bank rejects payment files of ours. */
const PAYMENT_STATUS = /^CstmrPmtStsRpt(V\d{2})?$/;

export interface ImportFileDeps extends StageFileDeps {
  readonly log: Log;
  readonly metrics: BankMetrics;
  /** Reads a pain.002; null: this deployment sends no payment files. */
  readonly readPaymentStatus:
    | ((bytes: Buffer, accounts: StoredFile['accounts']) => Promise<void>)
    | null;
}

export type ImportOutcome =
  /** The entries are staged, or were before. */
  | {
      readonly fileId: string;
      readonly isRefused: false;
      readonly isNew: boolean;
      /** Accounts of ours whose entries do not count; empty: all count. */
      readonly withheld: readonly string[];
    }
  | { readonly fileId: string; readonly isRefused: true; readonly reason: string };

/**
 * Takes a file of a bank: stores its bytes encrypted, and its entries. The file counts as a
 * whole or not at all. A file that was taken before changes nothing; a stop at any moment is
 * continued by the same call or by `resumeFile`.
 *
 * @param accounts those of the connection that brings the file: entries of another account of ours
 *   do not count until a sender who may bring them brings the file; null: all count
 * @param inside gets the ids of the files of an archive
 */
export async function importFile(
  deps: ImportFileDeps,
  bytes: Buffer,
  accounts: StoredFile['accounts'] = null,
  inside: string[] = [],
): Promise<ImportOutcome> {
  const file = await storeFile(deps, bytes, accounts);
  if (file.state !== 'RECEIVED') {
    return { fileId: file.id, isRefused: false, isNew: false, withheld: file.withheld ?? [] };
  }
  return readStored(deps, file, bytes, inside);
}

/** Stores the bytes of a file, for this or another process to read. */
export async function storeFile(
  deps: Pick<ImportFileDeps, 'db' | 'secretsKey'>,
  bytes: Buffer,
  accounts: StoredFile['accounts'],
): Promise<StoredFile & { readonly isNew: boolean }> {
  const sha256 = createHash('sha256').update(bytes).digest();
  const id = newId();
  const file = await receiveFile(deps.db, { id, sha256, sizeBytes: bytes.length, accounts });
  // A file above the limit is refused without its bytes: they would only fill the disk.
  const isKept = file.state === 'RECEIVED' && bytes.length <= LARGEST_STATEMENT_BYTES;
  if (isKept) await storeBytes(deps, file.id, bytes);
  return { ...file, isNew: file.id === id };
}

/** Continues a file that a stop left unread; null: its bytes are not all there. */
export async function resumeFile(
  deps: ImportFileDeps,
  file: StoredFile,
): Promise<ImportOutcome | null> {
  const bytes = await loadBytes(deps, file);
  return bytes && readStored(deps, file, bytes);
}

async function readStored(
  deps: ImportFileDeps,
  file: StoredFile,
  bytes: Buffer,
  inside: string[] = [],
): Promise<ImportOutcome> {
  const { id: fileId } = file;
  let fault: string | null = null;
  try {
    if (isArchive(bytes)) await readArchive(deps, file, bytes, inside);
    else await readInto(deps, file, bytes);
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    fault = error.message;
    if (await refuse(deps, file, fault)) return { fileId, isRefused: true, reason: fault };
  }
  // Another process may have decided about the same bytes meanwhile: then its word counts.
  const decided = await findFile(deps.db, fileId);
  // Another sender has come meanwhile who may bring more accounts: they are read, too.
  if (decided?.state === 'RECEIVED') return readStored(deps, decided, bytes, inside);
  return decided?.state === 'REFUSED'
    ? { fileId, isRefused: true, reason: decided.reason ?? '' }
    : { fileId, isRefused: false, isNew: fault === null, withheld: decided?.withheld ?? [] };
}

/** Each file of an archive is a file of its own, which may also come without the archive. */
async function readArchive(
  deps: ImportFileDeps,
  { id, accounts }: StoredFile,
  bytes: Buffer,
  inside: string[],
): Promise<void> {
  let fault: string | null = null;
  const withheld = new Set<string>();
  for (const [at, file] of (await openArchive(bytes)).entries()) {
    const outcome = await importFile(deps, file, accounts);
    if (!outcome.isRefused) {
      inside.push(outcome.fileId);
      for (const each of outcome.withheld) withheld.add(each);
    } else fault ??= `File ${at + 1} of the archive: ${outcome.reason}`;
  }
  if (fault !== null) throw new StatementFault(fault);
  await markFileStaged(deps.db, id, 'archive', accounts, [...withheld]);
}

async function readInto(
  deps: ImportFileDeps,
  { id: fileId, accounts }: StoredFile,
  bytes: Buffer,
): Promise<void> {
  if (PAYMENT_STATUS.test(messageNameOf(bytes))) {
    if (!deps.readPaymentStatus) throw new StatementFault('No payment files are sent from here.');
    await deps.readPaymentStatus(bytes, accounts);
    await markFileStaged(deps.db, fileId, 'pain.002', accounts, []);
    await markFileComplete(deps.db, fileId);
    return;
  }
  const staged = await stageFile(deps, { fileId, accounts }, bytes);
  const { db, log } = deps;
  const withheld = await markFileStaged(db, fileId, staged.kind, accounts, staged.withheld);
  if (!withheld) return;
  deps.metrics.bankAlert('ENTRIES_WITHHELD');
  log.error({ fileId, reason: withheldSentence(withheld) }, 'bank file counts in part');
}

/** @returns whether this process decided about the file */
async function refuse(
  { db, log, metrics }: ImportFileDeps,
  { id: fileId, accounts }: StoredFile,
  reason: string,
): Promise<boolean> {
  const state = await db.transaction(async (tx) => {
    const decided = await refuseFile(tx, fileId, reason, accounts);
    if (decided === 'REFUSED') await dropStagedEntries(tx, fileId);
    return decided;
  });
  if (state === null) return false;
  metrics.bankAlert('FILE_REFUSED');
  log.error({ fileId, reason }, 'bank file refused');
  return true;
}

const partContext = (fileId: string, partNumber: number) => `bank-file:${fileId}:${partNumber}`;

async function storeBytes(
  { db, secretsKey }: Pick<ImportFileDeps, 'db' | 'secretsKey'>,
  fileId: string,
  bytes: Buffer,
): Promise<void> {
  for (let partNumber = 0; partNumber * PART_BYTES < bytes.length; partNumber += 1) {
    const part = bytes.subarray(partNumber * PART_BYTES, (partNumber + 1) * PART_BYTES);
    const box = encryptBytes(secretsKey, part, partContext(fileId, partNumber));
    await saveFilePart(db, { id: newId(), fileId, partNumber, box });
    await setImmediate();
  }
}

async function loadBytes(
  { db, secretsKey }: ImportFileDeps,
  { id, sizeBytes, sha256 }: StoredFile,
): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  for (let partNumber = 0; partNumber * PART_BYTES < sizeBytes; partNumber += 1) {
    const part = await readFilePart(db, id, partNumber);
    if (!part) return null;
    parts.push(decryptBytes(secretsKey, part.box, partContext(id, partNumber)));
  }
  const bytes = Buffer.concat(parts);
  return createHash('sha256').update(bytes).digest().equals(sha256) ? bytes : null;
}
