import { allRows, firstRowOrNull, valuesOf } from '#database/statements.ts';
import type {
  BookEntry,
  BookFile,
  BookStatement,
  EntriesQuery,
  EntrySum,
  FilesQuery,
} from '../../network-books.ts';
import { caseOfReference } from '../matching/case-of-reference.ts';

const COLUMNS = `f.id::text, f.state, f.kind, f.reason, f.withheld, f.size_bytes AS "sizeBytes",
  f.received_at AS "receivedAt", f.completed_at AS "completedAt",
  s.statements, s.entries, s.first_day AS "firstDay", s.last_day AS "lastDay",
  s.account, s.accounts, s.amount_cents AS "amountCents", s.currency`;

/** A file as its row has it. */
export interface FileRow extends BookFile {
  readonly withheld: readonly string[] | null;
}

const STATEMENTS_OF = `CROSS JOIN LATERAL (
    SELECT count(*)::int AS statements, coalesce(sum(entry_count), 0)::int AS entries,
      min(day) AS first_day, max(day) AS last_day,
      min(account) AS account, count(DISTINCT account)::int AS accounts, min(currency) AS currency,
      CASE min(currency) WHEN max(currency) THEN sum(entries_cents)::bigint END AS amount_cents
    FROM bank_statements WHERE file_id = f.id) s`;

/**
 * The files of the bank, newest first.
 *
 * Reads the index bank_files_by_time; an unknown `after` begins at the newest file.
 */
export const listFiles = allRows<FileRow, [asked: FilesQuery]>(
  'bank-files-list',
  `SELECT ${COLUMNS} FROM (
     SELECT * FROM bank_files
     WHERE ($1::text IS NULL OR state = $1)
       AND ($2::uuid IS NULL OR (received_at, id) <
         (SELECT received_at, id FROM bank_files WHERE id = $2))
     ORDER BY received_at DESC, id DESC LIMIT $3) f ${STATEMENTS_OF}
   ORDER BY f.received_at DESC, f.id DESC`,
  valuesOf('state', 'after', 'limit'),
);

export const findListedFile = firstRowOrNull<FileRow, [id: string]>(
  'bank-files-find-listed',
  `SELECT ${COLUMNS} FROM bank_files f ${STATEMENTS_OF} WHERE f.id = $1`,
);

/** A statement as its row has it. */
export type ListedStatement = Omit<BookStatement, 'differenceCents' | 'hasGap' | 'missing'>;

/** A file has more statements than a person reads: these are the first of them. */
const MOST_STATEMENTS = 200;

export const listStatementsOf = allRows<ListedStatement, [fileId: string]>(
  'bank-files-list-statements',
  `SELECT id::text, account, day, sequence_number AS "sequenceNumber", currency,
     opening_cents AS "openingCents", closing_cents AS "closingCents",
     entries_cents AS "entriesCents", entry_count AS "entryCount"
   FROM bank_statements WHERE file_id = $1 ORDER BY day, account, id LIMIT ${MOST_STATEMENTS}`,
);

/** WAITING: not matched yet, or not certain before the statement of the day. */
const VERDICT = `CASE
    WHEN e.outcome IS NULL OR m.outcome = 'WAITING' THEN 'WAITING'
    WHEN e.outcome = 'REFUND' OR m.outcome IN ('EXACT', 'PART', 'RETURNED') THEN 'MATCHED'
    WHEN e.outcome = 'MOVEMENT' THEN 'CASE'
    WHEN e.outcome = 'PENDING' THEN 'ANNOUNCED'
    ELSE 'OTHER' END`;

const SIGNED = `CASE e.direction WHEN 'DEBIT' THEN -e.amount_cents ELSE e.amount_cents END`;

const OF_FILE = `FROM bank_statements s JOIN bank_entries e ON e.statement_id = s.id
    LEFT JOIN bank_movements m ON m.id = e.movement_id`;

/** The entries of a file by what became of them; entries of others end after 30 days. */
export const sumEntriesOf = allRows<EntrySum, [fileId: string]>(
  'bank-files-sum-entries',
  `SELECT ${VERDICT} AS verdict, e.currency, count(*)::int AS count,
     sum(${SIGNED})::bigint AS "amountCents"
   ${OF_FILE} WHERE s.file_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
);

/**
 * The payments of a file, in the order of its statements; an unknown `after` begins at the first.
 *
 * Reads a page of each statement off the index of places, then the movements, requests and cases of
 * the page alone.
 */
export const listEntriesOf = allRows<BookEntry, [asked: EntriesQuery]>(
  'bank-files-list-entries',
  `WITH place AS MATERIALIZED (
     SELECT b.day, b.id, a.entry_number, a.payment_number
     FROM bank_entries a JOIN bank_statements b ON b.id = a.statement_id WHERE a.id = $3
   ), page AS MATERIALIZED (
     SELECT s.day, found.* FROM bank_statements s LEFT JOIN place ON true, LATERAL (
       SELECT e.*, ${VERDICT} AS verdict, m.outcome AS movement_outcome,
         m.payment_request_id, m.network_reference
       FROM bank_entries e LEFT JOIN bank_movements m ON m.id = e.movement_id
       WHERE e.statement_id = s.id AND ($2::text IS NULL OR ${VERDICT} = $2)
         AND (e.entry_number, e.payment_number) >
           (CASE s.id WHEN place.id THEN place.entry_number ELSE -1 END,
            CASE s.id WHEN place.id THEN place.payment_number ELSE -1 END)
       ORDER BY e.entry_number, e.payment_number LIMIT $4) found
     WHERE s.file_id = $1 AND (place.id IS NULL OR (s.day, s.id) >= (place.day, place.id))
     ORDER BY s.day, s.id, found.entry_number, found.payment_number LIMIT $4
   )
   SELECT e.id::text, e.account, e.verdict,
     coalesce(e.movement_outcome, CASE e.outcome WHEN 'REFUND' THEN 'REFUND' WHEN 'BATCH_SUM'
       THEN 'BATCH_SUM' END) AS outcome,
     ${SIGNED} AS "amountCents", e.currency, e.booking_date AS "bookingDate",
     coalesce(e.bank_reference, e.entry_reference) AS "bankReference",
     e.payment_request_id::text AS "paymentRequestId", r.merchant_id AS "merchantId",
     ${caseOfReference('e.network_reference')} AS "caseId"
   FROM page e LEFT JOIN bank_transfer_requests r ON r.payment_request_id = e.payment_request_id
   ORDER BY e.day, e.statement_id, e.entry_number, e.payment_number`,
  valuesOf('fileId', 'verdict', 'after', 'limit'),
);
