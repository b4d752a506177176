import { html } from 'ghtml';
import { answerBadge, eventTitle } from '#console/components/badges.ts';
import { age, cell, count, id, money, status, time, url } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { type OfRequest, PEOPLE } from '#console/lists/rows-of-requests.ts';
import { NIL_PAYMENT_REQUEST, type WebhookDelivery } from '#webhooks/model/delivery.ts';
import { merchantHref } from '../paths.ts';

const words = listWords('console.lists.deliveries');

/** The payment request of a delivery; null: a test has none. */
export const requestOf = ({ paymentRequestId: id }: WebhookDelivery) =>
  id === NIL_PAYMENT_REQUEST ? null : id;

/** The columns of deliveries, on the page of an endpoint and in the list. */
export const DELIVERIES: Pick<
  ListSpec<OfRequest<WebhookDelivery>>,
  'columns' | 'usual' | 'words' | 'rowAddress'
> = {
  words,
  columns: {
    eventType: cell(
      ({ eventType, isTest }, { language }) =>
        html`${eventTitle(language, eventType)}!${
          isTest ? html` <span class="small">${words(language).text('test')}</span>` : ''
        }`,
    ),
    status: status('delivery', (delivery) => delivery.status),
    lastAnswer: cell(({ last }, { language }) => (last ? answerBadge(language, last) : null)),
    amount: money(({ request }) => request?.amountCents ?? null),
    payer: PEOPLE.payer,
    lastAttempt: { ...age((delivery) => delivery.lastAttemptAt), order: 'attempt' },
    created: { ...age((delivery) => delivery.createdAt), order: 'created' },
    invoiceNumber: PEOPLE.invoiceNumber,
    url: url((delivery) => delivery.url),
    attempts: count((delivery) => delivery.attempts),
    next: time((delivery) => delivery.nextAttemptAt),
    completed: time((delivery) => delivery.completedAt),
    paymentRequest: id(requestOf),
    endpoint: id((delivery) => delivery.endpointId),
    id: id((delivery) => delivery.id),
  },
  usual: 7,
  rowAddress: (delivery, visit) => merchantHref(visit, 'deliveries', delivery.id),
};
