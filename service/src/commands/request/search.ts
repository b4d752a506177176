import type { Executor } from '#database/database.ts';
import { isDate, nextDate, startOfDate } from '#ledger/model/day.ts';
import type { Clock } from '#lib/clock.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import {
  searchByFields,
  searchPaymentRequests,
} from '#payment-requests/lookup/search-payment-requests.ts';
import type { SearchField, Span } from '#payment-requests/lookup/search-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';

/** Shown of a value with many payment requests; a screen holds about as many. */
export const MOST_SHOWN = 20;

/** An act that cannot be undone finds its payment request by no amount and no value of a payer. */
const FIELDS: readonly SearchField[] = [
  'id',
  'shortCode',
  'networkReference',
  'merchantTransactionId',
];

interface SearchDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

interface Found {
  /** The payment requests in their present state, the best hits first, then the newest. */
  readonly paymentRequests: readonly PaymentRequest[];
  /** Others have the value, too. */
  readonly hasMore: boolean;
}

/**
 * Searches the payment requests of all merchants by their references.
 * @throws OperatorFault when none has the reference
 */
export async function searchByReference(
  { db, clock }: SearchDeps,
  reference: string,
): Promise<Found> {
  const found = await searchByFields(db, reference, FIELDS, MOST_SHOWN + 1);
  if (found.length > 0) return shownOf(found, clock);
  throw new OperatorFault(
    `No payment request has the id, short code, network reference or merchantTransactionId ` +
      `"${reference}" in this environment.`,
  );
}

/**
 * Searches the payment requests of all merchants as the console does (decision 0096).
 * @param day the day on which they were created or paid, as in 2026-03-01; null: any
 * @throws OperatorFault when none has the value, and for a day that the calendar has not
 */
export async function searchByAnyValue(
  { db, clock, timeZone }: SearchDeps & { readonly timeZone: string },
  value: string,
  day: string | null,
): Promise<Found> {
  const within = day === null ? null : spanOf(day, timeZone);
  const scope = { merchantIds: null, most: MOST_SHOWN + 1, ...(within && { within }) };
  const found = await searchPaymentRequests({ db }, value, scope);
  const paymentRequests = found.map(({ paymentRequest }) => paymentRequest);
  if (paymentRequests.length > 0) return shownOf(paymentRequests, clock);
  const onDay = day === null ? '' : ` and was created or paid on ${day}`;
  throw new OperatorFault(
    `No payment request has the id, short code, link, reference, invoice number, customer ` +
      `number, e-mail address, phone number or amount "${value}"${onDay} in this environment. ` +
      'Values must be whole: 249.90, not 249.',
  );
}

function shownOf(found: readonly PaymentRequest[], clock: Clock): Found {
  const now = clock.now();
  return {
    paymentRequests: found.slice(0, MOST_SHOWN).map((each) => paymentRequestAt(each, now)),
    hasMore: found.length > MOST_SHOWN,
  };
}

function spanOf(day: string, timeZone: string): Span {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(day) || !isDate(day)) {
    throw new OperatorFault(`Give --day as in 2026-03-01, not "${day}".`);
  }
  return { from: startOfDate(day, timeZone), to: startOfDate(nextDate(day), timeZone) };
}
