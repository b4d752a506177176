import { makeList, type ReadFilters } from '#database/lists/list.ts';
import { csvForm } from '#lib/csv.ts';
import { ID_PLACE, TIME_PLACE } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { formatInstant } from '#lib/instant.ts';
import type { FieldFault } from '#lib/problem.ts';
import { DELIVERY_STATUSES, type WebhookDelivery } from '#webhooks/model/delivery.ts';
import { type DeliveryFilters, findDeliveryPage } from './list-store.ts';
import { deliveryMembers } from './render-json.ts';
import {
  DeliveryQuerySchema,
  type ShownDeliveryQuery,
  ShownDeliveryQuerySchema,
} from './schemas.ts';

/** In the place of a delivery that was not tried; its order does not need the instant. */
const EPOCH = new Date(0);

const DELIVERIES = {
  name: 'webhook-deliveries',
  readFilters,
  // A cursor of the version with one status stays valid.
  identityOf: (
    _: string,
    { paymentRequestId, endpointId, statuses, lastAnswer, byAttempt }: DeliveryFilters,
  ) => [
    paymentRequestId,
    endpointId,
    statuses?.join() ?? null,
    ...(lastAnswer ? [lastAnswer] : []),
    ...(byAttempt ? ['byAttempt'] : []),
  ],
  place: ID_PLACE,
  placeOf: ({ id }: WebhookDelivery) => ({ id }),
  find: findDeliveryPage,
  // The columns have the names of the answer's members.
  csv: csvForm<WebhookDelivery>({
    id: ({ id }) => id,
    eventId: ({ eventId }) => eventId,
    eventType: ({ eventType }) => eventType,
    paymentRequestId: ({ paymentRequestId }) => paymentRequestId,
    endpointId: ({ endpointId }) => endpointId,
    url: ({ url }) => url,
    status: ({ status }) => status,
    'statusReason.code': (delivery) => deliveryMembers(delivery).statusReason?.code ?? null,
    attempts: ({ attempts }) => ({ decimal: `${attempts}` }),
    nextAttemptDateTime: ({ nextAttemptAt }) => nextAttemptAt && formatInstant(nextAttemptAt),
    createdDateTime: ({ createdAt }) => formatInstant(createdAt),
    completedDateTime: ({ completedAt }) => completedAt && formatInstant(completedAt),
  }),
};

/** A merchant's deliveries, newest first (delivery §3). */
export const DELIVERY_LIST = makeList({ ...DELIVERIES, schema: DeliveryQuerySchema });

/** The deliveries for people, who narrow them by the latest attempt too. */
export const SHOWN_DELIVERIES = makeList({
  ...DELIVERIES,
  schema: ShownDeliveryQuerySchema,
  place: TIME_PLACE,
  placeOf: ({ id, lastAttemptAt }: WebhookDelivery) => ({ id, createdAt: lastAttemptAt ?? EPOCH }),
});

/** @throws Problem VALIDATION_ERROR for a fault of the schema: the filters have no other faults */
function readFilters(
  { paymentRequestId, endpointId, status, lastAnswer, order }: Partial<ShownDeliveryQuery>,
  schemaFaults: readonly FieldFault[],
): ReadFilters<DeliveryFilters> {
  throwFaults(schemaFaults);
  const statuses = DELIVERY_STATUSES.filter(
    (each) => (status?.includes(each) ?? true) && (lastAnswer !== '2xx' || each === 'SUCCEEDED'),
  );
  const filters = {
    paymentRequestId: paymentRequestId?.toLowerCase() ?? null,
    endpointId: endpointId?.toLowerCase() ?? null,
    statuses: statuses.length === DELIVERY_STATUSES.length ? null : statuses,
    ...(lastAnswer !== '2xx' && { lastAnswer }),
    ...(order === 'attempt' && { byAttempt: true }),
  };
  return { filters, faults: [] };
}
