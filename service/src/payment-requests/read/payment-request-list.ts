import { type List, makeList } from '#database/lists/list.ts';
import type { Clock } from '#lib/clock.ts';
import { TIME_PLACE } from '#lib/cursor.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { CSV_HEADER, paymentRequestLine } from './csv-columns.ts';
import { identityOf, readFilters } from './filters.ts';
import { type FindPage, findPaymentRequestPage } from './list-store.ts';
import { type ListQuery, ListQuerySchema } from './schemas.ts';

export type PaymentRequestList = List<ListQuery, PaymentRequest>;

/** A merchant's payment requests, newest first, as they are now (contract §4, List). */
export function paymentRequestList(
  clock: Clock,
  settings: PublicSettings,
  findPage: FindPage = findPaymentRequestPage,
): PaymentRequestList {
  return makeList({
    name: 'payment-requests',
    schema: ListQuerySchema,
    readFilters,
    identityOf,
    place: TIME_PLACE,
    placeOf: (row: PaymentRequest) => row,
    async find(db, page) {
      const now = clock.now();
      const found = await findPage(db, { ...page, now });
      const isDue = found.some((each) => paymentRequestAt(each, now) !== each);
      return isDue ? found.map((each) => paymentRequestAt(each, now)) : found;
    },
    csv: { header: CSV_HEADER, lineOf: (row) => paymentRequestLine(row, settings) },
  });
}
