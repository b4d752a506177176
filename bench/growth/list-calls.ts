import type { PaymentRequestFilters } from '../../service/src/payment-requests/read/filters.ts';
import { findPaymentRequestPage } from '../../service/src/payment-requests/read/list-store.ts';
import { OWNERS } from './seed-rows.ts';
import { type Call, call } from './seeded-database.ts';
import type { Seeded } from './seeded-ids.ts';

const NONE: PaymentRequestFilters = {
  statuses: null,
  merchantTransactionId: null,
  invoiceNumber: null,
  businessUnit: null,
  shortCode: null,
  payerEmail: null,
  payerMobileNumber: null,
  createdFrom: null,
  createdTo: null,
  amountMinCents: null,
  amountMaxCents: null,
};

const HOUR_MS = 3_600_000;

/** The first page by each kind of filter; of one that finds a full page or, where it must, one row. */
const FILTERS: Readonly<Record<string, (drawn: Seeded) => Partial<PaymentRequestFilters>>> = {
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

/** What a page asks for to know whether there is another one. */
const PAGE = 21;

export const LIST_CALLS: readonly Call[] = Object.entries(FILTERS).map(([name, filters]) =>
  call(
    `list: ${name}`,
    async ({ draw }) => filters(draw()),
    (db, some) =>
      findPaymentRequestPage(db, {
        merchantId: OWNERS.giant,
        filters: { ...NONE, ...some },
        now: new Date(),
        after: null,
        limit: PAGE,
      }),
  ),
);
