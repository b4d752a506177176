import type { Executor, Statement } from '#database/database.ts';
import type { Status } from '#payment-requests/model/statuses.ts';
import { ERASED_PAYER } from './redact-payer.ts';

/** The expressions are those of the indexes of 0006-payment-request-lists.sql. */
const FIND: Statement = {
  name: 'payer-erasure-find',
  text: `SELECT id FROM payment_requests
      WHERE merchant_id = $1 AND payer_email IS NOT NULL AND lower(payer_email) = lower($2)
    UNION
    SELECT id FROM payment_requests
      WHERE merchant_id = $1 AND payer_mobile_number IS NOT NULL
        AND translate(payer_mobile_number, '+-() ', '') = translate($3, '+-() ', '')
    UNION
    SELECT id FROM payment_requests WHERE merchant_id = $1 AND id = ANY ($4::uuid[])
    ORDER BY id`,
};

const LOCK: Statement = {
  name: 'payer-erasure-lock',
  text: `SELECT id, status FROM payment_requests WHERE id = ANY ($1::uuid[])
    ORDER BY id FOR UPDATE`,
};

const ERASE: Statement = {
  name: 'payer-erasure-erase',
  text: `UPDATE payment_requests SET
      payer_name = $2, payer_email = $3, payer_mobile_number = NULL,
      payer_merchant_account_id = NULL, payer_preferred_language = NULL,
      display_message = NULL, metadata = NULL, version = version + 1
    WHERE id = ANY ($1::uuid[])`,
};

const ERASE_COMMENTS: Statement = {
  name: 'payer-erasure-erase-comments',
  text: `UPDATE payment_request_timeline SET details = details - 'comment'
    WHERE payment_request_id = ANY ($1::uuid[]) AND type = 'CANCELLATION_REQUESTED'`,
};

/** Whose payment requests are meant; any one of them is enough. */
export interface ErasedPayer {
  readonly email: string | null;
  readonly mobileNumber: string | null;
  /** Payment requests, by id. */
  readonly paymentRequestIds: readonly string[];
}

/** A merchant's payment requests of this payer, by id. */
export async function findPaymentRequestsOfPayer(
  db: Executor,
  merchantId: string,
  { email, mobileNumber, paymentRequestIds }: ErasedPayer,
): Promise<string[]> {
  const values = [merchantId, email, mobileNumber, paymentRequestIds];
  return (await db.query<{ id: string }>(FIND, values)).map(({ id }) => id);
}

/** Holds the payment requests as they are until the transaction ends. */
export function lockStatuses(
  tx: Executor,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly status: Status }[]> {
  return tx.query(LOCK, [ids]);
}

/** Takes the payer out of payment requests, and the comments out of their timelines. */
export async function erasePayerOf(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.query(ERASE, [ids, ERASED_PAYER.name, ERASED_PAYER.email]);
  await tx.query(ERASE_COMMENTS, [ids]);
}
