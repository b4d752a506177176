import { IS_RESTORE_OPEN } from '#database/restores/restore-store.ts';
import { allRows, execute, firstRowOrNull, firstValue, hasRows } from '#database/statements.ts';
import type { PaymentFileRow } from '../../network-connection.ts';

/** A payment file that leaves, or is leaving, by a connection. */
export interface LeavingFile {
  readonly messageId: string;
  readonly bytesEncrypted: Buffer;
  /** An earlier process was about to give the file its name on the bank's server. */
  readonly isRenaming: boolean;
}

/** Released files that the bank does not have for sure; none while a restore holds the refunds. */
export const listLeavingFiles = allRows<LeavingFile, [connection: number]>(
  'bank-payment-file-list-leaving',
  `SELECT message_id AS "messageId", bytes_encrypted AS "bytesEncrypted",
     renaming_at IS NOT NULL AS "isRenaming"
   FROM bank_payment_files
   WHERE connection = $1 AND written_at IS NULL AND unclear_at IS NULL
     AND released_at IS NOT NULL AND NOT ${IS_RESTORE_OPEN}
   ORDER BY created_at LIMIT 100`,
);

const NOT_GONE = 'renaming_at IS NULL AND written_at IS NULL AND unclear_at IS NULL';

/** @returns false: its way was changed, or another process is further */
export const notePutting = hasRows<[messageId: string, connection: number]>(
  'bank-payment-file-note-putting',
  `UPDATE bank_payment_files SET putting_at = coalesce(putting_at, service_now())
   WHERE message_id = $1 AND connection = $2 AND ${NOT_GONE} RETURNING message_id`,
);

/** The statuses of its refunds; the lock lets no refund end before the note is committed. */
const LOCKED = `paid AS (
     SELECT r.status FROM bank_refunds b JOIN refunds r ON r.id = b.refund_id
     WHERE b.message_id = $1 ORDER BY r.id FOR SHARE OF r),
   ended AS (SELECT FROM paid WHERE status <> 'PROCESSING')`;

/** @returns false: a refund of the file has ended, or another process is further */
export const noteRenaming = hasRows<[messageId: string]>(
  'bank-payment-file-note-renaming',
  `WITH ${LOCKED}
   UPDATE bank_payment_files SET renaming_at = service_now()
   WHERE message_id = $1 AND ${NOT_GONE} AND NOT EXISTS (SELECT FROM ended)
   RETURNING message_id`,
);

/** Takes the release back from a file with a refund that has ended. @returns whether it had one */
export const holdFile = hasRows<[messageId: string]>(
  'bank-payment-file-hold',
  `WITH ${LOCKED}
   UPDATE bank_payment_files SET released_at = NULL, putting_at = NULL
   WHERE message_id = $1 AND ${NOT_GONE} AND EXISTS (SELECT FROM ended)
   RETURNING message_id`,
);

/** @returns whether this call did it */
export const markSent = hasRows<[messageId: string]>(
  'bank-payment-file-mark-sent-by-sftp',
  `UPDATE bank_payment_files SET written_at = service_now(), written_as = 'sftp'
   WHERE message_id = $1 AND renaming_at IS NOT NULL AND written_at IS NULL AND unclear_at IS NULL
   RETURNING message_id`,
);

/** @returns whether this call did it */
export const markUnclear = hasRows<[messageId: string, reason: string]>(
  'bank-payment-file-mark-unclear',
  `UPDATE bank_payment_files SET unclear_at = service_now(), unclear_reason = $2
   WHERE message_id = $1 AND unclear_at IS NULL AND written_at IS NULL RETURNING message_id`,
);

/** The lifetime of a proposal (`approvals`): over a weekend. */
const ASKED_FOR = `interval '72 hours'`;

const ROW = `SELECT message_id AS "messageId", a.account_number AS account, refunds,
    total_cents AS "totalCents", format = 'LIST' AS "isList",
    f.created_at AS "createdAt", connection,
    CASE WHEN written_at IS NOT NULL THEN 'SENT' WHEN unclear_at IS NOT NULL THEN 'UNCLEAR'
      WHEN released_at IS NOT NULL THEN 'RELEASED' ELSE 'WAITING' END AS state,
    unclear_reason AS reason, putting_at IS NOT NULL AS "hasBegun",
    ARRAY(SELECT by FROM jsonb_each_text(asked_by) AS asked (by, at)
          WHERE at::timestamptz > service_now() - ${ASKED_FOR} ORDER BY at) AS "askedBy",
    CASE WHEN written_at IS NULL THEN (
      SELECT count(*) FROM bank_refunds b JOIN refunds r ON r.id = b.refund_id
      WHERE b.message_id = f.message_id AND r.status <> 'PROCESSING') ELSE 0 END::int
      AS "refundsOver"
  FROM bank_payment_files f JOIN creditor_accounts a ON a.id = f.account_id`;

/** Payment files that have not left, then those that left last. */
export const listPaymentFiles = allRows<PaymentFileRow, [most: number]>(
  'bank-payment-file-list',
  `${ROW} ORDER BY written_at DESC NULLS FIRST, f.created_at DESC LIMIT $1`,
);

export const findFileRow = firstRowOrNull<PaymentFileRow, [messageId: string]>(
  'bank-payment-file-find-row',
  `${ROW} WHERE message_id = $1`,
);

export const lockPaymentFile = firstRowOrNull<PaymentFileRow, [messageId: string]>(
  'bank-payment-file-lock',
  `${ROW} WHERE message_id = $1 FOR UPDATE OF f`,
);

/** The three largest payments of a file. */
export const listLargest = allRows<
  { refundId: string; amountCents: number; creditorEncrypted: Buffer | null },
  [messageId: string]
>(
  'bank-payment-file-list-largest',
  `SELECT refund_id::text AS "refundId", amount_cents AS "amountCents",
     creditor_encrypted AS "creditorEncrypted"
   FROM bank_refunds WHERE message_id = $1 ORDER BY amount_cents DESC, refund_id LIMIT 3`,
);

/** @param by as `release:ada`; a person who asks again asks for 72 hours more */
export const noteAsked = execute<[messageId: string, by: string]>(
  'bank-payment-file-note-asked',
  `UPDATE bank_payment_files SET asked_by = asked_by || jsonb_build_object($2::text, service_now())
   WHERE message_id = $1`,
);

export const releaseFile = execute<[messageId: string]>(
  'bank-payment-file-release',
  `UPDATE bank_payment_files SET released_at = service_now(), asked_by = '{}'
   WHERE message_id = $1`,
);

/** The bank has the file of unknown fate. */
export const settleAsSent = execute<[messageId: string]>(
  'bank-payment-file-settle-as-sent',
  `UPDATE bank_payment_files SET written_at = service_now(), written_as = 'sftp',
     unclear_at = NULL, unclear_reason = NULL, asked_by = '{}'
   WHERE message_id = $1`,
);

/**
 * The bank does not have the file of unknown fate: it is sent from the beginning. The journal of
 * the folder has the file from before: only a later line of it shows a restore.
 */
export const settleAsLost = execute<[messageId: string]>(
  'bank-payment-file-settle-as-lost',
  `UPDATE bank_payment_files SET renaming_at = NULL, claim_id = NULL, unclear_at = NULL,
     unclear_reason = NULL, lost_at = service_now(), asked_by = '{}'
   WHERE message_id = $1`,
);

/** A connection asks for its own release. */
export const setWay = execute<[messageId: string, connection: number | null]>(
  'bank-payment-file-set-way',
  `UPDATE bank_payment_files SET connection = $2, released_at = NULL, asked_by = '{}'
   WHERE message_id = $1`,
);

/** The longest wait of a released file that the bank does not have for sure, in seconds. */
export const findUnsentSeconds = firstValue<number>(
  'bank-payment-file-find-unsent-seconds',
  `SELECT extract(epoch FROM service_now() - min(released_at))::float8
   FROM bank_payment_files WHERE written_at IS NULL AND released_at IS NOT NULL`,
  0,
);

export const countUnclearFiles = firstValue<number>(
  'bank-payment-file-count-unclear',
  'SELECT count(unclear_at)::int FROM bank_payment_files WHERE written_at IS NULL',
  0,
);
