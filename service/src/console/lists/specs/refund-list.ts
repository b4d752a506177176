import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { money } from '#console/components/money.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { type ListFilter, type ListSpec, wordsOf } from '#console/lists/list-spec.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import { REFUND_REASON_TEXTS } from '#console/refunds/reason-texts.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { REFUND_STATUSES } from '#refunds/model/statuses.ts';
import {
  listRefunds,
  readStreamQuery,
  type StreamDeps,
  streamRefunds,
} from '#refunds/read/list-refunds.ts';
import { type RefundListQuery, RefundListQuerySchema } from '#refunds/read/schemas.ts';
import { identifier, mono, optional } from './cells.ts';
import type { MakeCsvFile } from './csv-file.ts';
import { REFUND_TEXTS } from './refund-texts.ts';

const FILTERS: readonly ListFilter[] = [
  { name: 'status', form: 'choices', options: REFUND_STATUSES },
  { name: 'merchantRefundId', form: 'text', maxLength: 64 },
];

const COLUMNS: ListSpec<Refund>['columns'] = [
  { name: 'created', isUsual: true, cell: (refund, visit) => instant(visit, refund.createdAt) },
  {
    name: 'amount',
    isUsual: true,
    isNumber: true,
    cell: (refund, visit) => money(visit, refund.amountCents),
  },
  {
    name: 'status',
    isUsual: true,
    cell: ({ status }, visit) => statusBadge(visit, `refund.${status}`),
  },
  {
    name: 'reason',
    isUsual: true,
    cell: ({ reason }, { language }) => html`${REFUND_REASON_TEXTS[language].text(reason)}`,
  },
  {
    name: 'merchantRefundId',
    isUsual: true,
    cell: (refund) => identifier(refund.merchantRefundId),
  },
  {
    name: 'completed',
    isUsual: false,
    cell: (refund, visit) => instant(visit, refund.payment?.completedAt ?? null),
  },
  {
    name: 'statusReason',
    isUsual: false,
    cell: ({ statusReasonCode }) => optional(statusReasonCode),
  },
  {
    name: 'networkReference',
    isUsual: false,
    cell: ({ payment }) => mono(payment?.networkReference ?? null),
  },
  { name: 'paymentRequest', isUsual: false, cell: (refund) => identifier(refund.paymentRequestId) },
  { name: 'id', isUsual: false, cell: ({ id }) => identifier(id) },
];

export interface RefundListDeps extends StreamDeps {
  readonly makeCsvFile: MakeCsvFile;
}

/** The refunds of a merchant, by the filters of the call that lists them. */
export function refundList(deps: RefundListDeps): ListSpec<Refund> {
  const { reads, makeCsvFile } = deps;
  return {
    name: 'refunds',
    path: '/m/:merchant/refunds',
    section: 'refunds',
    action: 'refunds.read',
    filters: FILTERS,
    hasDays: true,
    hasViews: true,
    columns: COLUMNS,
    words: wordsOf(REFUND_TEXTS),
    rowAddress: ({ paymentRequestId }, { merchantId }) =>
      `/console/m/${merchantId}/payment-requests/${paymentRequestId}`,
    async read({ merchantId }, request, query: Partial<RefundListQuery>) {
      const faults = schemaFaultsOf(request, RefundListQuerySchema, query);
      return (await reads.read((db) => listRefunds(db, merchantId, query, faults))).result;
    },
    async csv({ merchantId }, request, query: Partial<RefundListQuery>) {
      const faults = schemaFaultsOf(request, RefundListQuerySchema, query);
      const filters = readStreamQuery(merchantId, query, faults);
      return makeCsvFile('refunds', (calls) => streamRefunds(deps, merchantId, filters, calls));
    },
  };
}
