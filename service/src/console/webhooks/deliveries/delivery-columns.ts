import { html } from 'ghtml';
import { answerBadge } from '#console/components/health-badge.ts';
import { age, cell, count, id, status, time, url } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { NIL_PAYMENT_REQUEST, type WebhookDelivery } from '#webhooks/model/delivery.ts';
import { merchantHref } from '../paths.ts';

const words = listWords('console.lists.deliveries');

/** The columns of deliveries, on the page of an endpoint and in the list. */
export const DELIVERIES: Pick<
  ListSpec<WebhookDelivery>,
  'columns' | 'usual' | 'words' | 'rowAddress'
> = {
  words,
  columns: {
    eventType: cell(
      ({ eventType, isTest }, { language }) =>
        html`<span class="mono id">${eventType}</span>!${
          isTest ? html` <span class="small">${words(language).text('test')}</span>` : ''
        }`,
    ),
    status: status('delivery', (delivery) => delivery.status),
    lastAnswer: cell(({ last }, { language }) => (last ? answerBadge(language, last) : null)),
    url: url((delivery) => delivery.url),
    lastAttempt: { ...age((delivery) => delivery.lastAttemptAt), order: 'attempt' },
    created: { ...age((delivery) => delivery.createdAt), order: 'created' },
    attempts: count((delivery) => delivery.attempts),
    next: time((delivery) => delivery.nextAttemptAt),
    completed: time((delivery) => delivery.completedAt),
    paymentRequest: id(({ paymentRequestId }) =>
      paymentRequestId === NIL_PAYMENT_REQUEST ? null : paymentRequestId,
    ),
    endpoint: id((delivery) => delivery.endpointId),
    id: id((delivery) => delivery.id),
  },
  usual: 6,
  rowAddress: (delivery, visit) => merchantHref(visit, 'deliveries', delivery.id),
};
