import type { Executor } from '#database/database.ts';
import {
  allRows,
  execute,
  firstRowOrNull,
  firstValue,
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
  /** The accounts of ours whose entries are to be read; null: of all. */
  readonly accounts: readonly string[] | null;
  /** Accounts of ours whose entries do not count; null: none, or the file is not staged. */
  readonly withheld: readonly string[] | null;
}

const COLUMNS = 'id, state, size_bytes AS "sizeBytes", sha256, reason, accounts, withheld';

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
 * A refused file may come again after its cause is gone: the file is then read anew. A staged file
 * that a sender brings for accounts that are withheld is read on, for these accounts alone, and an
 * archive looks again what its files wait for. While a file is read, the accounts of all its
 * senders count.
 */
export const receiveFile = oneRow<
  StoredFile,
  [file: Pick<StoredFile, 'id' | 'sha256' | 'sizeBytes' | 'accounts'>]
>(
  'bank-file-receive',
  `INSERT INTO bank_files AS f (id, sha256, size_bytes, accounts) VALUES ($1, $2, $3, $4)
   ON CONFLICT (sha256) DO UPDATE SET (state, accounts, withheld, received_at, reason) = (
     SELECT CASE WHEN is_read_on THEN 'RECEIVED' ELSE f.state END,
       CASE WHEN f.state = 'REFUSED' THEN excluded.accounts
         WHEN f.kind IS NOT NULL THEN f.accounts || added
         WHEN excluded.accounts <@ f.accounts THEN f.accounts
         WHEN excluded.accounts IS NOT NULL AND f.accounts IS NOT NULL
           THEN f.accounts || excluded.accounts END,
       nullif(ARRAY(SELECT unnest(f.withheld) EXCEPT SELECT unnest(added)), '{}'),
       CASE WHEN is_read_on THEN service_now() ELSE f.received_at END, NULL
     FROM (SELECT ARRAY(SELECT unnest(f.withheld) INTERSECT
         SELECT unnest(coalesce(excluded.accounts, f.withheld))) AS added) a
     CROSS JOIN LATERAL (
       SELECT f.state = 'REFUSED' OR added <> '{}'
         OR f.kind = 'archive' AND f.withheld IS NOT NULL AS is_read_on) r)
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

/** The row says whose entries are to be read: a process that has read others decides nothing. */
const AS_READ = `WHERE id = $1 AND state = 'RECEIVED' AND accounts IS NOT DISTINCT FROM $3`;

/**
 * Lets the entries of the accounts that were read count, as a whole. The first reading alone says
 * which accounts are withheld.
 *
 * @returns the accounts that are withheld; null: none, or another process has decided
 */
export const markFileStaged = firstValue<
  readonly string[] | null,
  [
    fileId: string,
    kind: StatementKind | 'pain.002' | 'archive',
    read: StoredFile['accounts'],
    withheld: readonly string[],
  ]
>(
  'bank-file-mark-staged',
  `UPDATE bank_files SET state = 'STAGED', kind = $2, accounts = '{}',
     withheld = CASE WHEN kind IS NULL OR kind = 'archive' THEN nullif($4::text[], '{}')
       ELSE withheld END
   ${AS_READ} RETURNING withheld`,
  null,
);

/** @returns whether this call completed it */
export const markFileComplete = hasRows<[fileId: string]>(
  'bank-file-mark-complete',
  `UPDATE bank_files SET state = 'COMPLETE', completed_at = service_now()
   WHERE id = $1 AND state = 'STAGED' RETURNING id`,
);

/**
 * A file that counts already goes on to do so: its withheld accounts wait on.
 *
 * @returns the state that this call gave the file; null: it did not decide
 */
export const refuseFile = firstValue<
  'REFUSED' | 'STAGED' | null,
  [fileId: string, reason: string, read: StoredFile['accounts']]
>(
  'bank-file-refuse',
  `UPDATE bank_files SET state = CASE WHEN kind IS NULL THEN 'REFUSED' ELSE 'STAGED' END,
     reason = CASE WHEN kind IS NULL THEN $2 END, accounts = '{}',
     withheld = CASE WHEN kind IS NOT NULL THEN withheld || accounts END
   ${AS_READ} RETURNING state`,
  null,
);

/** Stores that a file is refused, without its bytes. */
export async function storeRefusal(
  db: Executor,
  { id, sha256, sizeBytes, reason }: Omit<StoredFile, 'state' | 'accounts' | 'withheld'>,
): Promise<string> {
  const [row] = await db.query<{ id: string }>(STORE_REFUSAL, [id, sha256, sizeBytes, reason]);
  if (!row) throw new Error('the refusal was not stored');
  return row.id;
}

export async function dropStagedEntries(tx: Executor, fileId: string): Promise<void> {
  await tx.query(DROP_ENTRIES, [fileId]);
  await tx.query(DROP_STATEMENTS, [fileId]);
}

/** The bytes of an imported file end first; those of a file that waits for a person stay longer. */
export const pruneFileParts = execute<[keepDays: number]>(
  'bank-file-prune-parts',
  `DELETE FROM bank_file_parts WHERE id IN (
     SELECT p.id FROM bank_file_parts p JOIN bank_files f ON f.id = p.file_id
     WHERE f.received_at < service_now() - make_interval(days => $1)
       AND f.state <> 'STAGED'
       AND (f.state <> 'REFUSED' AND f.withheld IS NULL
            OR f.received_at < service_now() - interval '13 months')
     LIMIT 100)`,
);
