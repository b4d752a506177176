import { html } from 'ghtml';
import { fieldWord } from '#console/components/field-word.ts';
import { lengthOf } from '#console/forms/form-field.ts';
import { code, id, money, status, statusFilter, text, time } from '#console/lists/columns.ts';
import {
  CREATED_DAYS,
  type ListSpec,
  type ListWords,
  listWords,
} from '#console/lists/list-spec.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { ReadPage } from '#database/lists/read-pages.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import type { Clock } from '#lib/clock.ts';
import {
  CONSOLE_FIELDS,
  type ConsoleField,
  EQUALITY_FILTERS,
} from '#payment-requests/model/field-lists.ts';
import { FIELDS } from '#payment-requests/model/fields.ts';
import { availableCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { STATUSES } from '#payment-requests/model/statuses.ts';
import { paymentRequestList as listOf } from '#payment-requests/read/payment-request-list.ts';
import type { ListQuery } from '#payment-requests/read/schemas.ts';

export interface PaymentRequestListDeps {
  readonly reads: OverviewReads;
  readonly readPage: ReadPage<ListQuery, PaymentRequest>;
  readonly clock: Clock;
  readonly settings: PublicSettings;
}

const ownWords = listWords('console.lists.payment-requests');

/** Fields of the table have one label, as a filter and as a column. */
const words: ListWords = (language) => ({
  ...ownWords(language),
  text(key, values) {
    const name = CONSOLE_FIELDS.find((each) => [`filter.${each}`, `column.${each}`].includes(key));
    return name ? fieldWord(language, name) : ownWords(language).text(key, values);
  },
});

function fieldColumn(name: ConsoleField) {
  const cell = name === 'merchantTransactionId' ? id : text;
  return cell<PaymentRequest>((p) => p[name]);
}

/** The payment requests of a merchant, by the filters of the call that lists them. */
export const paymentRequestList = ({
  reads,
  readPage,
  clock,
  settings,
}: PaymentRequestListDeps): ListSpec<PaymentRequest> => ({
  name: 'payment-requests',
  path: '/m/:merchant/payment-requests',
  section: 'payment-requests',
  action: 'payment-requests.read',
  filters: [
    statusFilter('request', STATUSES),
    ...EQUALITY_FILTERS.map((name) => ({
      name,
      form: 'text' as const,
      maxLength: lengthOf({ name, rule: FIELDS[name].rule }) ?? 0,
    })),
    { name: 'payerEmail', form: 'email', maxLength: 254, isPrivate: true },
    { name: 'payerMobileNumber', form: 'phone', maxLength: 40, isPrivate: true },
    { name: 'amountMin', form: 'amount', maxLength: 20 },
    { name: 'amountMax', form: 'amount', maxLength: 20 },
    { name: 'networkReference', form: 'text', maxLength: 255 },
  ],
  days: CREATED_DAYS,
  columns: {
    created: time((p) => p.createdAt),
    amount: money((p) => p.amountCents),
    status: status('request', (p) => p.status),
    payer: text((p) => p.payer.name),
    invoiceNumber: text((p) => p.invoiceNumber),
    ...Object.fromEntries(CONSOLE_FIELDS.map((name) => [name, fieldColumn(name)])),
    email: text((p) => p.payer.email),
    mobileNumber: text((p) => p.payer.mobileNumber),
    expires: time((p) => p.expiresAt),
    paid: time((p) => p.payment?.completedAt ?? null),
    received: money((p) => p.payment && p.sums.receivedCents),
    refunded: money((p) => p.payment && p.sums.refundedCents),
    available: money((p) => p.payment && availableCents(p)),
    institution: text((p) => p.payment?.institution ?? null),
    networkReference: code((p) => p.payment?.networkReference ?? null),
    id: id((p) => p.id),
  },
  usual: 5,
  words,
  rows: listOf(clock, settings),
  reads,
  readPage,
  rowAddress: (p, { merchantId }) => `/console/m/${merchantId}/payment-requests/${p.id}`,
  actions: createLink,
  emptyActions: createLink,
});

function createLink({ can, language, merchantId }: Visit): string {
  if (!can('payment-requests.create')) return '';
  return html`<a class="button" data-key="c" href="/console/m/${merchantId}/payment-requests/new"
>${words(language).text('create')}</a>`;
}
