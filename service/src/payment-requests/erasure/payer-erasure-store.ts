import type { Executor, Statement } from '#database/database.ts';
import { allRows } from '#database/statements.ts';
import type { Field } from '#payment-requests/model/field-types.ts';
import { FIELDS, PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import type { Status } from '#payment-requests/model/statuses.ts';

/** The columns that an erasure writes, each with its new value. */
const ERASED_COLUMNS = [...Object.values(PAYER_FIELDS), ...Object.values(FIELDS)]
  .filter(({ knownTo }: Field) => knownTo.includes('ERASURE'))
  .flatMap(({ columns, erasedTo }: Field) =>
    Object.keys(columns).map((column) => [column, erasedTo ?? null] as const),
  );

const ERASE: Statement = {
  name: 'payer-erasure-erase',
  text: `UPDATE payment_requests SET version = version + 1,
      ${ERASED_COLUMNS.map(([column], index) => `${column} = $${index + 2}`).join(', ')}
    WHERE id = ANY ($1::uuid[])`,
};

const ERASE_COMMENTS: Statement = {
  name: 'payer-erasure-erase-comments',
  text: `UPDATE payment_request_timeline SET details = details - 'comment'
    WHERE payment_request_id = ANY ($1::uuid[]) AND type = 'CANCELLATION_REQUESTED'`,
};

/** Identifies the payer's payment requests: a match of any member is enough. */
export interface ErasedPayer {
  readonly email: string | null;
  readonly mobileNumber: string | null;
  /** Payment requests, by id. */
  readonly paymentRequestIds: readonly string[];
}

/**
 * The payment requests of this payer, in the order of their ids.
 *
 * The expressions are those of the indexes of 0005-payment-requests.sql: a few index
 * probes for each merchant.
 *
 * @param merchantId null: of all merchants
 */
export const findPaymentRequestsOfPayer = allRows<
  { readonly merchantId: string; readonly id: string },
  [merchantId: string | null, payer: ErasedPayer]
>(
  'payer-erasure-find',
  `SELECT m.id AS "merchantId", found.id
   FROM merchants m CROSS JOIN LATERAL (
     SELECT id FROM payment_requests
       WHERE merchant_id = m.id AND payer_email IS NOT NULL AND lower(payer_email) = lower($2)
     UNION
     SELECT id FROM payment_requests
       WHERE merchant_id = m.id AND payer_mobile_number IS NOT NULL
         AND translate(payer_mobile_number, '+-() ', '') = translate($3, '+-() ', '')
     UNION
     SELECT id FROM payment_requests WHERE merchant_id = m.id AND id = ANY ($4::uuid[])) found
   WHERE $1::text IS NULL OR m.id = $1
   ORDER BY found.id`,
  (merchantId, { email, mobileNumber, paymentRequestIds }) => [
    merchantId,
    email,
    mobileNumber,
    paymentRequestIds,
  ],
);

/** Locks the payment requests until the transaction ends. */
export const lockStatuses = allRows<
  { readonly id: string; readonly status: Status },
  [ids: readonly string[]]
>(
  'payer-erasure-lock',
  `SELECT id, status FROM payment_requests WHERE id = ANY ($1::uuid[])
   ORDER BY id FOR UPDATE`,
);

/** Erases the payer in payment requests, and the comments in their timelines. */
export async function erasePayerOf(tx: Executor, ids: readonly string[]): Promise<void> {
  await tx.query(ERASE, [ids, ...ERASED_COLUMNS.map(([, value]) => value)]);
  await tx.query(ERASE_COMMENTS, [ids]);
}
