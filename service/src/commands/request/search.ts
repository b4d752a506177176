import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { searchByFields } from '#payment-requests/lookup/search-payment-requests.ts';
import type { SearchField } from '#payment-requests/lookup/search-store.ts';
import { type PaymentRequest, paymentRequestAt } from '#payment-requests/model/payment-request.ts';

/** Shown of a merchantTransactionId with many payment requests; a screen holds about as many. */
export const MOST_SHOWN = 20;

/** The words of `payreq request` for its argument. */
export const REFERENCE = [
  '<reference>',
  'an id, a short code, a network reference, or a merchantTransactionId',
] as const;

/** A command line stays in the shell's history: no value of a payer is searched for. */
const FIELDS: readonly SearchField[] = [
  'id',
  'shortCode',
  'networkReference',
  'merchantTransactionId',
];

interface Found {
  /** The payment requests in their present state, newest first. */
  readonly paymentRequests: readonly PaymentRequest[];
  /** Older ones have the reference, too. */
  readonly hasMore: boolean;
}

/**
 * Searches the payment requests of all merchants.
 * @throws OperatorFault when none has the reference
 */
export async function search(
  { db, clock }: { readonly db: Executor; readonly clock: Clock },
  reference: string,
): Promise<Found> {
  const found = await searchByFields(db, reference, FIELDS, MOST_SHOWN + 1);
  if (found.length === 0) {
    throw new OperatorFault(
      `No payment request has the id, short code, network reference or merchantTransactionId ` +
        `"${reference}" in this environment.`,
    );
  }
  const now = clock.now();
  return {
    paymentRequests: found.slice(0, MOST_SHOWN).map((each) => paymentRequestAt(each, now)),
    hasMore: found.length > MOST_SHOWN,
  };
}
