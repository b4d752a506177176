import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { money } from '#console/components/money.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { type ListFilter, type ListSpec, wordsOf } from '#console/lists/list-spec.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import type { Visit } from '#console/shell/visit.ts';
import { availableCents, receivedCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { STATUSES } from '#payment-requests/model/statuses.ts';
import type { ReadSharedPage } from '#payment-requests/read/list-payment-requests.ts';
import { type ListQuery, ListQuerySchema } from '#payment-requests/read/schemas.ts';
import {
  readStreamQuery,
  type StreamDeps,
  streamPaymentRequests,
} from '#payment-requests/read/stream-csv.ts';
import { identifier, mono, optional } from './cells.ts';
import type { MakeCsvFile } from './csv-file.ts';
import { PAYMENT_REQUEST_TEXTS } from './payment-request-texts.ts';

const FILTERS: readonly ListFilter[] = [
  { name: 'status', form: 'choices', options: STATUSES },
  { name: 'merchantTransactionId', form: 'text', maxLength: 64 },
  { name: 'invoiceNumber', form: 'text', maxLength: 50 },
  { name: 'businessUnit', form: 'text', maxLength: 50 },
  { name: 'payerEmail', form: 'email', maxLength: 254, isPrivate: true },
  { name: 'payerMobileNumber', form: 'phone', maxLength: 40, isPrivate: true },
  { name: 'amountMin', form: 'amount', maxLength: 20 },
  { name: 'amountMax', form: 'amount', maxLength: 20 },
  { name: 'networkReference', form: 'text', maxLength: 255 },
];

const COLUMNS: ListSpec<PaymentRequest>['columns'] = [
  { name: 'created', isUsual: true, cell: (p, visit) => instant(visit, p.createdAt) },
  {
    name: 'amount',
    isUsual: true,
    isNumber: true,
    cell: (p, visit) => money(visit, p.amountCents),
  },
  {
    name: 'status',
    isUsual: true,
    cell: ({ status }, visit) => statusBadge(visit, `request.${status}`),
  },
  { name: 'payer', isUsual: true, cell: ({ payer }) => optional(payer.name) },
  { name: 'invoiceNumber', isUsual: true, cell: (p) => optional(p.invoiceNumber) },
  {
    name: 'merchantTransactionId',
    isUsual: false,
    cell: (p) => identifier(p.merchantTransactionId),
  },
  { name: 'businessUnit', isUsual: false, cell: (p) => optional(p.businessUnit) },
  { name: 'email', isUsual: false, cell: ({ payer }) => optional(payer.email) },
  { name: 'mobileNumber', isUsual: false, cell: ({ payer }) => optional(payer.mobileNumber) },
  { name: 'expires', isUsual: false, cell: (p, visit) => instant(visit, p.expiresAt) },
  {
    name: 'paid',
    isUsual: false,
    cell: (p, visit) => instant(visit, p.payment?.completedAt ?? null),
  },
  {
    name: 'received',
    isUsual: false,
    isNumber: true,
    cell: (p, visit) => (p.payment ? money(visit, receivedCents(p)) : '–'),
  },
  {
    name: 'refunded',
    isUsual: false,
    isNumber: true,
    cell: (p, visit) => (p.payment ? money(visit, p.sums.refundedCents) : '–'),
  },
  {
    name: 'available',
    isUsual: false,
    isNumber: true,
    cell: (p, visit) => (p.payment ? money(visit, availableCents(p)) : '–'),
  },
  { name: 'institution', isUsual: false, cell: (p) => optional(p.payment?.institution ?? null) },
  {
    name: 'networkReference',
    isUsual: false,
    cell: (p) => mono(p.payment?.networkReference ?? null),
  },
  { name: 'id', isUsual: false, cell: ({ id }) => identifier(id) },
];

export interface PaymentRequestListDeps extends StreamDeps {
  readonly readPage: ReadSharedPage;
  readonly makeCsvFile: MakeCsvFile;
}

/** The payment requests of a merchant, by the filters of the call that lists them. */
export function paymentRequestList(deps: PaymentRequestListDeps): ListSpec<PaymentRequest> {
  const { readPage, makeCsvFile } = deps;
  return {
    name: 'payment-requests',
    path: '/m/:merchant/payment-requests',
    section: 'payment-requests',
    action: 'payment-requests.read',
    filters: FILTERS,
    hasDays: true,
    hasViews: true,
    columns: COLUMNS,
    words: wordsOf(PAYMENT_REQUEST_TEXTS),
    rowAddress: ({ id }, { merchantId }) => `/console/m/${merchantId}/payment-requests/${id}`,
    async read({ merchantId }, request, query: Partial<ListQuery>) {
      const faults = schemaFaultsOf(request, ListQuerySchema, query);
      return (await readPage(merchantId, query, faults)).page;
    },
    async csv({ merchantId }, request, query: Partial<ListQuery>) {
      const faults = schemaFaultsOf(request, ListQuerySchema, query);
      const filters = readStreamQuery(merchantId, query, faults);
      return makeCsvFile('payment-requests', (calls) =>
        streamPaymentRequests(deps, merchantId, filters, calls),
      );
    },
    actions: (visit) => createLink(visit),
    emptyActions: (visit) => createLink(visit),
  };
}

function createLink({ can, language, merchantId }: Visit): string {
  if (!can('payment-requests.create')) return '';
  return html`<a class="button" data-key="c" href="/console/m/${merchantId}/payment-requests/new"
>${PAYMENT_REQUEST_TEXTS[language].text('create')}</a>`;
}
