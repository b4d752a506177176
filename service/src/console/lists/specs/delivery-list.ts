import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { type ListFilter, type ListSpec, wordsOf } from '#console/lists/list-spec.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import type { Database } from '#database/database.ts';
import { listDeliveries } from '#webhooks/deliveries/list-deliveries.ts';
import { type DeliveryQuery, DeliveryQuerySchema } from '#webhooks/deliveries/schemas.ts';
import { streamDeliveries } from '#webhooks/deliveries/stream-csv.ts';
import {
  DELIVERY_STATUSES,
  NIL_PAYMENT_REQUEST,
  type WebhookDelivery,
} from '#webhooks/model/delivery.ts';
import { identifier, mono } from './cells.ts';
import type { MakeCsvFile } from './csv-file.ts';
import { DELIVERY_TEXTS } from './delivery-texts.ts';

const FILTERS: readonly ListFilter[] = [
  { name: 'status', form: 'choices', options: DELIVERY_STATUSES },
  { name: 'paymentRequestId', form: 'id', maxLength: 36 },
  { name: 'endpointId', form: 'id', maxLength: 36 },
];

const COLUMNS: ListSpec<WebhookDelivery>['columns'] = [
  { name: 'created', isUsual: true, cell: (row, visit) => instant(visit, row.createdAt) },
  {
    name: 'eventType',
    isUsual: true,
    cell: ({ eventType, isTest }, { language }) =>
      html`<span class="mono id">${eventType}</span>!${
        isTest ? html` <span class="small">${DELIVERY_TEXTS[language].text('test')}</span>` : ''
      }`,
  },
  {
    name: 'status',
    isUsual: true,
    cell: ({ status }, visit) => statusBadge(visit, `delivery.${status}`),
  },
  { name: 'url', isUsual: true, cell: ({ url }) => mono(url) },
  { name: 'attempts', isUsual: true, isNumber: true, cell: ({ attempts }) => `${attempts}` },
  { name: 'next', isUsual: true, cell: (row, visit) => instant(visit, row.nextAttemptAt) },
  { name: 'completed', isUsual: false, cell: (row, visit) => instant(visit, row.completedAt) },
  {
    name: 'paymentRequest',
    isUsual: false,
    cell: ({ paymentRequestId }) =>
      identifier(paymentRequestId === NIL_PAYMENT_REQUEST ? null : paymentRequestId),
  },
  { name: 'endpoint', isUsual: false, cell: ({ endpointId }) => identifier(endpointId) },
  { name: 'id', isUsual: false, cell: ({ id }) => identifier(id) },
];

export interface DeliveryListDeps {
  readonly db: Database;
  readonly makeCsvFile: MakeCsvFile;
}

/** The webhook deliveries of a merchant, by the filters of the call that lists them. */
export function deliveryList({ db, makeCsvFile }: DeliveryListDeps): ListSpec<WebhookDelivery> {
  return {
    name: 'deliveries',
    path: '/m/:merchant/deliveries',
    section: 'deliveries',
    action: 'deliveries.read',
    filters: FILTERS,
    hasDays: false,
    hasViews: true,
    columns: COLUMNS,
    words: wordsOf(DELIVERY_TEXTS),
    rowAddress: ({ id }, { merchantId }) => `/console/m/${merchantId}/deliveries/${id}`,
    read: ({ merchantId }, request, query: Partial<DeliveryQuery>) =>
      listDeliveries(db, merchantId, query, schemaFaultsOf(request, DeliveryQuerySchema, query)),
    csv({ merchantId }, request, query: Partial<DeliveryQuery>) {
      const faults = schemaFaultsOf(request, DeliveryQuerySchema, query);
      return makeCsvFile('webhook-deliveries', (calls) =>
        streamDeliveries(db, merchantId, query, faults, calls),
      );
    },
    emptyActions: ({ merchantId, language }) =>
      html`<p><a class="button quiet" href="/console/m/${merchantId}/endpoints"
>${DELIVERY_TEXTS[language].text('endpoints')}</a></p>`,
  };
}
