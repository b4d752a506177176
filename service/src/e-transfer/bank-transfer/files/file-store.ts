import type { Executor } from '#database/database.ts';
import {
  allRows,
  execute,
  firstRowOrNull,
  hasRows,
  oneRow,
  valuesOf,
} from '#database/statements.ts';
import type { FileState } from '../../network-books.ts';
import type { StatementKind } from '../statements/statement.ts';

export interface StoredFile {
  readonly id: string;
  readonly state: FileState;
  readonly sizeBytes: number;
  readonly sha256: Buffer;
  readonly reason: string | null;
  /** The only accounts of ours that it may have; null: every account. */
  readonly accounts: readonly string[] | null;
}

const COLUMNS = 'id, state, size_bytes AS "sizeBytes", sha256, reason, accounts';

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

/**
 * Finds the file by its bytes, or stores that it has come.
 *
 * A refused file may come again after its cause is gone: the file is then read anew.
 */
export const receiveFile = oneRow<
  StoredFile,
  [file: Pick<StoredFile, 'id' | 'sha256' | 'sizeBytes' | 'accounts'>]
>(
  'bank-file-receive',
  `INSERT INTO bank_files AS f (id, sha256, size_bytes, accounts) VALUES ($1, $2, $3, $4)
   ON CONFLICT (sha256) DO UPDATE SET
     accounts = CASE f.state WHEN 'REFUSED' THEN excluded.accounts ELSE f.accounts END,
     state = CASE f.state WHEN 'REFUSED' THEN 'RECEIVED' ELSE f.state END,
     received_at = CASE f.state WHEN 'REFUSED' THEN service_now() ELSE f.received_at END,
     reason = NULL
   RETURNING ${COLUMNS}`,
  'the file was not stored',
  valuesOf('id', 'sha256', 'sizeBytes', 'accounts'),
);

export const saveFilePart = execute<
  [part: { id: string; fileId: string; partNumber: number; box: Buffer }]
>(
  'bank-file-save-part',
  `INSERT INTO bank_file_parts (id, file_id, part_number, box) VALUES ($1, $2, $3, $4)
   ON CONFLICT (file_id, part_number) DO NOTHING`,
  valuesOf('id', 'fileId', 'partNumber', 'box'),
);

export const findFile = firstRowOrNull<StoredFile, [fileId: string]>(
  'bank-file-find',
  `SELECT ${COLUMNS} FROM bank_files WHERE id = $1`,
);

/**
 * Files that a stop of the process left unfinished, oldest first.
 *
 * A file without all of its bytes is continued by the process that has them, or by nothing.
 */
export const findOpenFiles = allRows<StoredFile, [limit: number, partBytes: number]>(
  'bank-file-find-open',
  `SELECT ${COLUMNS} FROM bank_files f
   WHERE state IN ('RECEIVED', 'STAGED')
     AND (state = 'STAGED'
          OR size_bytes <= $2 * (SELECT count(*) FROM bank_file_parts p
                                 WHERE p.file_id = f.id))
   ORDER BY received_at, id LIMIT $1`,
);

export const readFilePart = firstRowOrNull<
  { id: string; box: Buffer },
  [fileId: string, partNumber: number]
>(
  'bank-file-read-part',
  'SELECT id, box FROM bank_file_parts WHERE file_id = $1 AND part_number = $2',
);

/** Lets the file count, as a whole. */
export const markFileStaged = execute<
  [fileId: string, kind: StatementKind | 'pain.002' | 'archive']
>(
  'bank-file-mark-staged',
  `UPDATE bank_files SET state = 'STAGED', kind = $2 WHERE id = $1 AND state = 'RECEIVED'`,
);

/** @returns whether this call completed it */
export const markFileComplete = hasRows<[fileId: string]>(
  'bank-file-mark-complete',
  `UPDATE bank_files SET state = 'COMPLETE', completed_at = service_now()
   WHERE id = $1 AND state = 'STAGED' RETURNING id`,
);

/** @returns whether this call refused it */
export const refuseFile = hasRows<[fileId: string, reason: string]>(
  'bank-file-refuse',
  `UPDATE bank_files SET state = 'REFUSED', reason = $2
   WHERE id = $1 AND state = 'RECEIVED' RETURNING id`,
);

/** Stores that a file is refused, without its bytes. */
export async function storeRefusal(
  db: Executor,
  { id, sha256, sizeBytes, reason }: Omit<StoredFile, 'state' | 'accounts'>,
): Promise<string> {
  const [row] = await db.query<{ id: string }>(STORE_REFUSAL, [id, sha256, sizeBytes, reason]);
  if (!row) throw new Error('the refusal was not stored');
  return row.id;
}

export async function dropStagedEntries(tx: Executor, fileId: string): Promise<void> {
  await tx.query(DROP_ENTRIES, [fileId]);
  await tx.query(DROP_STATEMENTS, [fileId]);
}

/** The bytes of an imported file end first; a refused file stays longer for the operator. */
export const pruneFileParts = execute<[keepDays: number]>(
  'bank-file-prune-parts',
  `DELETE FROM bank_file_parts WHERE id IN (
     SELECT p.id FROM bank_file_parts p JOIN bank_files f ON f.id = p.file_id
     WHERE f.received_at < service_now() - make_interval(days => $1)
       AND (f.state IN ('COMPLETE', 'RECEIVED')
            OR f.state = 'REFUSED'
              AND f.received_at < service_now() - interval '13 months')
     LIMIT 100)`,
);
