import {
  NO_FILTERS,
  type PaymentRequestFilters,
} from '../../service/src/payment-requests/read/filters.ts';
import { findPaymentRequestPage } from '../../service/src/payment-requests/read/list-store.ts';
import { type Call, call } from './call.ts';
import { OWNERS } from './seed-rows.ts';
import type { SeededRow } from './seeded-rows.ts';

const HOUR_MS = 3_600_000;

/** A filter of each kind; each finds a full page, or a single row if no more can match. */
const FILTERS: Readonly<Record<string, (row: SeededRow) => Partial<PaymentRequestFilters>>> = {
  none: () => ({}),
  'status PAID': () => ({ statuses: ['PAID'] }),
  'status CREATED': () => ({ statuses: ['CREATED'] }),
  'status EXPIRED': () => ({ statuses: ['EXPIRED'] }),
  'three statuses': () => ({ statuses: ['FAILED', 'EXPIRED', 'CANCELLED'] }),
  merchantTransactionId: ({ merchantTransactionId }) => ({ merchantTransactionId }),
  'invoiceNumber, common': () => ({ invoiceNumber: 'N/A' }),
  businessUnit: () => ({ businessUnit: 'web' }),
  shortCode: ({ shortCode }) => ({ shortCode }),
  'payerEmail, common': () => ({ payerEmail: 'none@shop.example' }),
  'payerMobileNumber, absent': () => ({ payerMobileNumber: '+1 000' }),
  created: ({ createdAt }) => ({ createdTo: new Date(createdAt.getTime() + HOUR_MS) }),
  'amount exactly': () => ({ amountMinCents: 500, amountMaxCents: 500 }),
  'amount above, half': () => ({ amountMinCents: 15_000 }),
  'amount above, 1 %': () => ({ amountMinCents: 60_000 }),
  'businessUnit and status': () => ({ businessUnit: 'web', statuses: ['PAID'] }),
};

/** A page of 20, and the row that shows whether a next page exists. */
const LIMIT = 21;

export const LIST_CALLS: readonly Call[] = Object.entries(FILTERS).map(([name, filters]) =>
  call(
    `list: ${name}`,
    async ({ randomRow }) => filters(randomRow()),
    (db, chosen) =>
      findPaymentRequestPage(db, {
        merchantId: OWNERS.giant,
        filters: { ...NO_FILTERS, ...chosen },
        now: new Date(),
        after: null,
        limit: LIMIT,
      }),
  ),
);
