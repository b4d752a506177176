import { requestBadge } from '#console/components/badges.ts';
import { amountText, fieldWord, institutionOf } from '#console/components/values.ts';
import { lengthOf } from '#console/forms/form-field.ts';
import { addingAct } from '#console/lists/acts.ts';
import { show } from '#console/lists/columns.ts';
import {
  CREATED_DAYS,
  type ListSpec,
  type ListWords,
  listAt,
  listWords,
  statusFilter,
  statusTabs,
} from '#console/lists/list-spec.ts';
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
import { STATUSES, type Status } from '#payment-requests/model/statuses.ts';
import { countRequests, MOST_COUNTED_REQUESTS } from '#payment-requests/read/count-requests.ts';
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

const CREATE = addingAct(
  'create',
  'payment-requests.create',
  ({ merchantId }) => `/m/${merchantId}/payment-requests/new`,
);

function fieldColumn(name: ConsoleField) {
  const cell = name === 'merchantTransactionId' ? show.id : show.text;
  return cell<PaymentRequest>((p) => p[name]);
}

const TABS: Readonly<Record<string, readonly Status[]>> = {
  open: ['CREATED', 'PROCESSING'],
  paid: ['PAID'],
  failed: ['FAILED'],
};

/** The payment requests of a merchant, by the filters of the call that lists them. */
export const paymentRequestList = ({
  reads,
  readPage,
  clock,
  settings,
}: PaymentRequestListDeps): ListSpec<PaymentRequest> => ({
  ...listAt('payment-requests', words),
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
    status: { cell: (p, visit) => requestBadge(visit, p) },
    amount: show.money((p) => p.amountCents),
    payer: show.text((p) => p.payer.name),
    invoiceNumber: show.text((p) => p.invoiceNumber),
    created: show.age((p) => p.createdAt),
    ...Object.fromEntries(CONSOLE_FIELDS.map((name) => [name, fieldColumn(name)])),
    email: show.text((p) => p.payer.email),
    mobileNumber: show.text((p) => p.payer.mobileNumber),
    expires: show.age((p) => p.expiresAt),
    paid: show.age((p) => p.payment?.completedAt ?? null),
    received: show.money((p) => p.payment && p.sums.receivedCents),
    refunded: show.money((p) => p.payment && p.sums.refundedCents),
    available: show.money((p) => p.payment && availableCents(p)),
    institution: show.text(institutionOf),
    networkReference: show.code((p) => p.payment?.networkReference ?? null),
    id: show.id((p) => p.id),
  },
  usual: 5,
  tabs: statusTabs(TABS, {
    most: MOST_COUNTED_REQUESTS,
    read: (db, { merchantId, now }) => countRequests(db, merchantId, now),
  }),
  rowName: (p, visit) => `${amountText(visit, p.amountCents)}, ${p.payer.name ?? ''}`,
  cameAt: (p) => p.createdAt,
  rows: listOf(clock, settings),
  reads,
  readPage,
  rowAddress: (p, { merchantId }) => `/console/m/${merchantId}/payment-requests/${p.id}`,
  acts: [CREATE],
  emptyActs: [CREATE],
});
