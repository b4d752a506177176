import type { Executor, Statement } from '#database/database.ts';
import { IS_RESTORE_OPEN } from '#database/restores/restore-store.ts';
import { allRows, execute, firstRowOrNull, hasRows } from '#database/statements.ts';
import type { FileFormat } from './bank-refund.ts';
import type { JournalledFile, JournalledRefund } from './file-journal.ts';
import type { PayingAccount } from './write-pain001.ts';

/** A refund that waits for a payment file, with the account that pays it. */
export interface PendingRefund {
  readonly refundId: string;
  readonly amountCents: number;
  readonly message: string | null;
  readonly creditorEncrypted: Buffer;
  readonly currency: string;
  readonly listReference: string;
  readonly debtor: PayingAccount & { readonly id: string };
}

export interface NewPaymentFile {
  readonly messageId: string;
  readonly accountId: string;
  readonly totalCents: number;
  readonly format: FileFormat;
  readonly bytesEncrypted: Buffer;
  /** The connection by which alone it leaves; null: a folder of this machine. */
  readonly connection: number | null;
  /** Whether it may leave by the connection without a person. */
  readonly isReleased: boolean;
  readonly refundIds: readonly string[];
}

export interface StoredPaymentFile {
  readonly messageId: string;
  readonly refunds: number;
  readonly totalCents: number;
  readonly format: FileFormat;
  /** null: older than BANK_FILES_KEEP. */
  readonly bytesEncrypted: Buffer | null;
  /** The key of the account that pays. */
  readonly account: string;
}

/**
 * Refunds that have ended for the merchant, and refunds of a suspended merchant, stay out. After a
 * restore all refunds stay out until the release. The current account pays for an account that its
 * bank has closed.
 */
const LIST_PENDING: Statement = {
  name: 'bank-payment-file-list-pending',
  text: `SELECT b.refund_id AS "refundId", b.amount_cents AS "amountCents", b.message,
      b.creditor_encrypted AS "creditorEncrypted", b.currency,
      b.list_reference AS "listReference",
      jsonb_build_object('id', d.id, 'holder', d.holder, 'account', d.account_number,
        'bic', d.bic) AS debtor
    FROM bank_refunds b
    JOIN refunds r ON r.id = b.refund_id AND r.status = 'CREATED'
    JOIN merchants m ON m.id = r.merchant_id AND m.status = 'ACTIVE'
    JOIN creditor_accounts a ON a.id = b.account_id
    JOIN creditor_accounts d ON d.closed_at IS NULL AND CASE WHEN a.closed_at IS NULL
      THEN d.id = a.id ELSE d.merchant_id = a.merchant_id AND d.replaced_at IS NULL END
    WHERE b.state = 'QUEUED' AND NOT ${IS_RESTORE_OPEN}
    ORDER BY d.id, b.created_at, b.refund_id
    LIMIT $1`,
};

/** A refund that failed without the network, as after a returned payment, leaves the queue. */
const DROP_FAILED: Statement = {
  name: 'bank-payment-file-drop-failed',
  text: `UPDATE bank_refunds b SET state = 'FAILED',
      outcome = json_build_object('state', 'FAILED', 'reason', 'NETWORK_REJECTED')
    FROM refunds r WHERE r.id = b.refund_id AND b.state = 'QUEUED' AND r.status = 'FAILED'`,
};

/** A person has completed it, as no debit names it: the account owes no statement of it. */
const CLOSE_COMPLETED: Statement = {
  name: 'bank-payment-file-close-completed',
  text: `UPDATE bank_refunds b SET state = 'COMPLETED', outcome = jsonb_build_object(
      'state', 'COMPLETED', 'completedAt', service_now(), 'movement', jsonb_build_object(
        'networkReference', b.refund_id || '-DEBIT', 'amountCents', b.amount_cents,
        'bankReference', null, 'bookingDate', null))
    FROM refunds r WHERE r.id = b.refund_id AND b.state = 'SENT' AND r.status = 'COMPLETED'`,
};

/** The lock keeps the status: a RETURN that fails a refund waits, or came first. */
const LOCK_OPEN: Statement = {
  name: 'bank-payment-file-lock-open',
  text: `SELECT id FROM refunds WHERE id = ANY ($1::uuid[]) AND status IN ('CREATED', 'PROCESSING')
    ORDER BY id FOR UPDATE`,
};

const INSERT: Statement = {
  name: 'bank-payment-file-insert',
  text: `INSERT INTO bank_payment_files
      (message_id, account_id, refunds, total_cents, bytes_encrypted, format, connection,
       released_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 THEN service_now() END)`,
};

/** No folder gets the file again; the account is that of its first refund. */
const ADOPT: Statement = {
  name: 'bank-payment-file-adopt',
  text: `INSERT INTO bank_payment_files
      (message_id, account_id, refunds, total_cents, written_at, written_as)
    SELECT $1, account_id, $3, $4, service_now(), 'adopted' FROM bank_refunds
    WHERE refund_id = ANY ($2::uuid[]) ORDER BY created_at, refund_id LIMIT 1
    ON CONFLICT (message_id) DO UPDATE
    SET written_at = excluded.written_at, written_as = excluded.written_as
    WHERE bank_payment_files.written_at IS NULL`,
};

const MARK_SENT: Statement = {
  name: 'bank-payment-file-mark-sent',
  text: `UPDATE bank_refunds SET state = 'SENT', message_id = $2
    WHERE refund_id = ANY ($1::uuid[]) AND state = 'QUEUED' RETURNING refund_id`,
};

const COLUMNS = `message_id AS "messageId", refunds, total_cents AS "totalCents", format,
  bytes_encrypted AS "bytesEncrypted",
  (SELECT key FROM creditor_accounts WHERE id = account_id) AS account`;

/** A file that the bank lost, as a person found, is known until the journal has it once more. */
const FIND_WRITTEN: Statement = {
  name: 'bank-payment-file-find-written',
  text: `SELECT f.message_id AS "messageId" FROM bank_payment_files f
    JOIN unnest($1::text[], $2::timestamptz[]) AS j (message_id, written_at)
      ON j.message_id = f.message_id
    WHERE f.written_at IS NOT NULL OR f.renaming_at IS NOT NULL OR f.lost_at > j.written_at`,
};

/** Refunds that wait for a payment file, those of one paying account together. */
export async function listPendingRefunds(db: Executor, limit: number): Promise<PendingRefund[]> {
  await db.query(DROP_FAILED);
  await db.query(CLOSE_COMPLETED);
  return db.query<PendingRefund>(LIST_PENDING, [limit]);
}

/**
 * Stores the file and marks its refunds.
 *
 * @returns false when a refund is over or stands in another file: the transaction must not commit
 */
export async function insertPaymentFile(tx: Executor, file: NewPaymentFile): Promise<boolean> {
  const { messageId, accountId, totalCents, format, bytesEncrypted, refundIds } = file;
  const open = await tx.query(LOCK_OPEN, [refundIds]);
  const way = [format, file.connection, file.isReleased];
  const facts = [refundIds.length, totalCents, bytesEncrypted, ...way];
  await tx.query(INSERT, [messageId, accountId, ...facts]);
  const marked = await tx.query(MARK_SENT, [refundIds, messageId]);
  return open.length === refundIds.length && marked.length === refundIds.length;
}

/** Stores a file that left before a restore, without its bytes, and marks its refunds. */
export async function adoptPaymentFile(
  tx: Executor,
  file: Pick<NewPaymentFile, 'messageId' | 'totalCents' | 'refundIds'>,
): Promise<void> {
  const { messageId, totalCents, refundIds } = file;
  await tx.query(ADOPT, [messageId, refundIds, refundIds.length, totalCents]);
  await tx.query(MARK_SENT, [refundIds, messageId]);
}

/** Files that no folder has yet, oldest first; none while a restore holds the refunds. */
export const listUnwrittenFiles = allRows<StoredPaymentFile, [limit: number]>(
  'bank-payment-file-list-unwritten',
  `SELECT ${COLUMNS} FROM bank_payment_files
   WHERE written_at IS NULL AND connection IS NULL AND NOT ${IS_RESTORE_OPEN}
   ORDER BY created_at LIMIT $1`,
);

export const findPaymentFile = firstRowOrNull<StoredPaymentFile, [messageId: string]>(
  'bank-payment-file-find',
  `SELECT ${COLUMNS} FROM bank_payment_files WHERE message_id = $1`,
);

/**
 * @returns whether this writer may give the file its final name: no other writer was first, the
 *   file leaves by a folder as before, and no restore holds the refunds
 */
export const markWritten = hasRows<[messageId: string, writtenAs: string]>(
  'bank-payment-file-mark-written',
  `UPDATE bank_payment_files SET written_at = service_now(), written_as = $2
   WHERE message_id = $1 AND written_at IS NULL AND connection IS NULL AND NOT ${IS_RESTORE_OPEN}
   RETURNING message_id`,
);

/** The files whose writer chose one of these temporary names. */
export const findFilesWrittenAs = allRows<
  { messageId: string; writtenAs: string; format: FileFormat },
  [names: readonly string[]]
>(
  'bank-payment-file-find-written-as',
  `SELECT message_id AS "messageId", written_as AS "writtenAs", format FROM bank_payment_files
   WHERE written_as = ANY ($1::text[])`,
);

/** @returns the message ids of files that the database knows as written, or about to be */
export async function findWrittenFiles(
  db: Executor,
  files: readonly JournalledFile[],
): Promise<ReadonlySet<string>> {
  const columns = [files.map(({ messageId }) => messageId), files.map((each) => each.writtenAt)];
  const rows = await db.query<{ messageId: string }>(FIND_WRITTEN, columns);
  return new Set(rows.map(({ messageId }) => messageId));
}

/** The refunds that stand in a file. */
export const listRefundsOfFile = allRows<JournalledRefund, [messageId: string]>(
  'bank-payment-file-list-refunds',
  `SELECT refund_id::text AS id, payment_request_id::text AS "paymentRequestId",
     amount_cents AS "amountCents"
   FROM bank_refunds WHERE message_id = $1 ORDER BY refund_id`,
);

/** Removes the bytes of old files whose refunds are all over. */
export const removeOldFileBytes = execute<[keepDays: number]>(
  'bank-payment-file-remove-old-bytes',
  `UPDATE bank_payment_files f SET bytes_encrypted = NULL
   WHERE f.message_id IN (
     SELECT message_id FROM bank_payment_files
     WHERE bytes_encrypted IS NOT NULL AND written_at < service_now() - make_interval(days => $1)
       AND NOT EXISTS (SELECT FROM bank_refunds b
                       WHERE b.message_id = bank_payment_files.message_id AND b.state = 'SENT')
     LIMIT 100)`,
);
