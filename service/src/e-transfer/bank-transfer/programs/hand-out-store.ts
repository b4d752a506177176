import { allRows, execute, firstRowOrNull } from '#database/statements.ts';
import { PROGRAM_WAY } from '../../network-connection.ts';

export interface WaitingFile {
  readonly id: string;
  readonly account: string;
  readonly refunds: number;
  readonly totalCents: number;
  readonly currency: string;
  readonly createdAt: Date;
  readonly releasedAt: Date;
}

/** Released files that no program has claimed. */
export const listWaiting = allRows<WaitingFile>(
  'bank-payment-file-list-waiting',
  `SELECT message_id AS id, a.account_number AS account, refunds, total_cents AS "totalCents",
     (SELECT currency FROM bank_refunds b WHERE b.message_id = f.message_id LIMIT 1) AS currency,
     f.created_at AS "createdAt", released_at AS "releasedAt"
   FROM bank_payment_files f JOIN creditor_accounts a ON a.id = f.account_id
   WHERE connection = ${PROGRAM_WAY} AND written_at IS NULL AND released_at IS NOT NULL
     AND claim_id IS NULL
   ORDER BY f.created_at LIMIT 1000`,
);

export interface Claim {
  readonly claimId: string | null;
  readonly bytesEncrypted: Buffer | null;
  /** Whether the program that has the file may have it again: no person has taken over. */
  readonly isRepeatable: boolean;
}

/** The claim of a file; null: no program takes the file. */
export const findClaim = firstRowOrNull<Claim, [messageId: string]>(
  'bank-payment-file-find-claim',
  `SELECT claim_id::text AS "claimId", bytes_encrypted AS "bytesEncrypted",
     bytes_encrypted IS NOT NULL AND unclear_at IS NULL AND coalesce(written_as = 'program', true)
       AS "isRepeatable"
   FROM bank_payment_files WHERE message_id = $1 AND connection = ${PROGRAM_WAY}`,
);

/** The bank may have the bytes from here on. */
export const noteClaim = execute<[messageId: string, claimId: string]>(
  'bank-payment-file-note-claim',
  `UPDATE bank_payment_files
   SET claim_id = $2, putting_at = service_now(), renaming_at = service_now()
   WHERE message_id = $1`,
);

export const noteSentByProgram = execute<[messageId: string]>(
  'bank-payment-file-note-sent-by-program',
  `UPDATE bank_payment_files SET written_at = service_now(), written_as = 'program',
     unclear_at = NULL, unclear_reason = NULL, asked_by = '{}'
   WHERE message_id = $1 AND written_at IS NULL`,
);

/** Claims of an hour ago that no program has ended: a person finds out what the bank has. */
export const markStaleClaims = allRows<{ readonly messageId: string }>(
  'bank-payment-file-mark-stale-claims',
  `UPDATE bank_payment_files SET unclear_at = service_now(),
     unclear_reason = 'a program took it an hour ago and has not said that the bank has it'
   WHERE connection = ${PROGRAM_WAY} AND written_at IS NULL AND unclear_at IS NULL
     AND renaming_at < service_now() - interval '1 hour'
   RETURNING message_id AS "messageId"`,
);
