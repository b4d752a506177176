import { allValues } from '#database/statements.ts';

/** A batch names many payments by one reference of the entry; more than these help nobody. */
const MOST = 100;

/**
 * The payment requests with a creditor reference, or with money under a bank's own reference.
 *
 * Every part reads an index.
 */
export const findRequestsByReference = allValues<
  string,
  [creditorReference: string, bankReference: string]
>(
  'bank-transfer-search',
  `SELECT payment_request_id::text AS id FROM bank_transfer_requests WHERE reference = $1
   UNION
   (SELECT payment_request_id::text FROM bank_movements
    WHERE bank_reference = $2 AND payment_request_id IS NOT NULL LIMIT ${MOST})
   UNION
   (SELECT payment_request_id::text FROM bank_movements
    WHERE entry_reference = $2 AND payment_request_id IS NOT NULL LIMIT ${MOST})`,
);
