import type { Executor } from '#database/database.ts';
import type { FileState } from '../../network-books.ts';
import type { StatementKind } from '../statements/statement.ts';

export interface StoredFile {
  readonly id: string;
  readonly state: FileState;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly reason: string | null;
}

const COLUMNS = 'id, state, size_bytes AS "sizeBytes", sha256, reason';

/** A refused file may come again after its cause is gone: the file is then read anew. */
const RECEIVE = {
  name: 'bank-file-receive',
  text: `INSERT INTO bank_files AS f (id, sha256, size_bytes) VALUES ($1, $2, $3)
         ON CONFLICT (sha256) DO UPDATE SET
           state = CASE f.state WHEN 'REFUSED' THEN 'RECEIVED' ELSE f.state END,
           received_at = CASE f.state WHEN 'REFUSED' THEN service_now() ELSE f.received_at END,
           reason = NULL
         RETURNING ${COLUMNS}`,
};

const SAVE_PART = {
  name: 'bank-file-save-part',
  text: `INSERT INTO bank_file_parts (id, file_id, part_number, box) VALUES ($1, $2, $3, $4)
         ON CONFLICT (file_id, part_number) DO NOTHING`,
};

const FIND = {
  name: 'bank-file-find',
  text: `SELECT ${COLUMNS} FROM bank_files WHERE id = $1`,
};

/** A file without all of its bytes is continued by the process that has them, or by nothing. */
const FIND_OPEN = {
  name: 'bank-file-find-open',
  text: `SELECT ${COLUMNS} FROM bank_files f
         WHERE state IN ('RECEIVED', 'STAGED')
           AND (state = 'STAGED'
                OR size_bytes <= $2 * (SELECT count(*) FROM bank_file_parts p
                                       WHERE p.file_id = f.id))
         ORDER BY received_at, id LIMIT $1`,
};

const READ_PART = {
  name: 'bank-file-read-part',
  text: 'SELECT id, box FROM bank_file_parts WHERE file_id = $1 AND part_number = $2',
};

const MARK_STAGED = {
  name: 'bank-file-mark-staged',
  text: `UPDATE bank_files SET state = 'STAGED', kind = $2 WHERE id = $1 AND state = 'RECEIVED'`,
};

const MARK_COMPLETE = {
  name: 'bank-file-mark-complete',
  text: `UPDATE bank_files SET state = 'COMPLETE', completed_at = service_now()
         WHERE id = $1 AND state <> 'COMPLETE' RETURNING id`,
};

const REFUSE = {
  name: 'bank-file-refuse',
  text: `UPDATE bank_files SET state = 'REFUSED', reason = $2
         WHERE id = $1 AND state = 'RECEIVED' RETURNING id`,
};

const STORE_REFUSAL = {
  name: 'bank-file-store-refusal',
  text: `INSERT INTO bank_files (id, sha256, size_bytes, state, reason)
         VALUES ($1, $2, $3, 'REFUSED', $4)
         ON CONFLICT (sha256) DO UPDATE SET received_at = service_now() RETURNING id`,
};

/** Only what is staged of a file that does not count. */
const DROP_ENTRIES = {
  name: 'bank-file-drop-entries',
  text: 'DELETE FROM bank_entries WHERE file_id = $1 AND matched_at IS NULL',
};
const DROP_STATEMENTS = {
  name: 'bank-file-drop-statements',
  text: 'DELETE FROM bank_statements WHERE file_id = $1',
};

/** The bytes of an imported file end first; a refused file stays longer for the operator. */
const PRUNE_PARTS = {
  name: 'bank-file-prune-parts',
  text: `DELETE FROM bank_file_parts WHERE id IN (
           SELECT p.id FROM bank_file_parts p JOIN bank_files f ON f.id = p.file_id
           WHERE f.received_at < service_now() - make_interval(days => $1)
             AND (f.state IN ('COMPLETE', 'RECEIVED')
                  OR f.state = 'REFUSED'
                    AND f.received_at < service_now() - interval '13 months')
           LIMIT 100)`,
};

/** Finds the file by its bytes, or stores that it has come. */
export async function receiveFile(
  db: Executor,
  { id, sha256, sizeBytes }: Pick<StoredFile, 'id' | 'sha256' | 'sizeBytes'>,
): Promise<StoredFile> {
  const [row] = await db.query<StoredFile>(RECEIVE, [id, sha256, sizeBytes]);
  if (!row) throw new Error('the file was not stored');
  return row;
}

export async function saveFilePart(
  db: Executor,
  part: { id: string; fileId: string; partNumber: number; box: Buffer },
): Promise<void> {
  await db.query(SAVE_PART, [part.id, part.fileId, part.partNumber, part.box]);
}

export async function findFile(db: Executor, fileId: string): Promise<StoredFile | null> {
  const [row] = await db.query<StoredFile>(FIND, [fileId]);
  return row ?? null;
}

/** Files that a stop of the process left unfinished, oldest first. */
export function findOpenFiles(
  db: Executor,
  limit: number,
  partBytes: number,
): Promise<StoredFile[]> {
  return db.query<StoredFile>(FIND_OPEN, [limit, partBytes]);
}

export async function readFilePart(
  db: Executor,
  fileId: string,
  partNumber: number,
): Promise<{ readonly id: string; readonly box: Buffer } | null> {
  const [row] = await db.query<{ id: string; box: Buffer }>(READ_PART, [fileId, partNumber]);
  return row ?? null;
}

/** Lets the file count, as a whole. */
export async function markFileStaged(
  db: Executor,
  fileId: string,
  kind: StatementKind | 'pain.002',
): Promise<void> {
  await db.query(MARK_STAGED, [fileId, kind]);
}

/** @returns whether this call completed it */
export async function markFileComplete(db: Executor, fileId: string): Promise<boolean> {
  return (await db.query(MARK_COMPLETE, [fileId])).length > 0;
}

/** @returns whether this call refused it */
export async function refuseFile(db: Executor, fileId: string, reason: string): Promise<boolean> {
  return (await db.query(REFUSE, [fileId, reason])).length > 0;
}

/** Stores that a file is refused, without its bytes. */
export async function storeRefusal(
  db: Executor,
  { id, sha256, sizeBytes, reason }: Omit<StoredFile, 'state'>,
): Promise<string> {
  const [row] = await db.query<{ id: string }>(STORE_REFUSAL, [id, sha256, sizeBytes, reason]);
  if (!row) throw new Error('the refusal was not stored');
  return row.id;
}

export async function dropStagedEntries(tx: Executor, fileId: string): Promise<void> {
  await tx.query(DROP_ENTRIES, [fileId]);
  await tx.query(DROP_STATEMENTS, [fileId]);
}

export async function pruneFileParts(db: Executor, keepDays: number): Promise<void> {
  await db.query(PRUNE_PARTS, [keepDays]);
}
