import { html } from 'ghtml';
import {
  answerBadge,
  deliveryBadge,
  endpointBadge,
  eventTitle,
} from '#console/components/badges.ts';
import { copyField, copyStatus, facts } from '#console/components/parts.ts';
import { amountText, instant } from '#console/components/values.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { show } from '#console/lists/columns.ts';
import { type ListSpec, listWords } from '#console/lists/list-spec.ts';
import { type OfRequest, PEOPLE, rowsOfRequests } from '#console/lists/rows-of-requests.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { WebhookPagesDeps } from '#console/webhooks/deps.ts';
import { countdown, indentJson, OUTCOME_TEXTS, refreshed } from '#console/webhooks/page-parts.ts';
import { merchantHref, merchantPath } from '#console/webhooks/paths.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import {
  type EndpointHealth,
  readEndpointHealth,
} from '#webhooks/inspection/read-endpoint-health.ts';
import {
  readSentWebhook,
  type SentWebhook,
  type ShownAttempt,
} from '#webhooks/inspection/read-sent-webhook.ts';
import { NIL_PAYMENT_REQUEST, type WebhookDelivery } from '#webhooks/model/delivery.ts';

const DELIVERY_TEXTS = pageTexts('console.webhooks.deliveries');
const LIST_TEXTS = pageTexts('console.lists.deliveries');

const REDELIVER: Act<WebhookDelivery> = {
  word: 'redeliver',
  may: 'deliveries.redeliver',
  method: 'POST',
  path: ({ id, isErased, isEndpointDeleted }, visit) =>
    isErased || isEndpointDeleted ? null : merchantPath(visit, 'deliveries', id, 'redeliver'),
};

/** A delivery: the body as sent, every attempt with its answer, and the next one. */
export async function showDelivery({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = DELIVERY_TEXTS[visit.language];
  const { merchantId, params } = visit;
  const sent = await readSentWebhook(db, merchantId, params.id ?? '');
  const { delivery } = sent;
  const endpointId = delivery.isEndpointDeleted ? null : delivery.endpointId;
  const found = endpointId === null ? null : await readEndpointHealth(db, merchantId, endpointId);
  const { endpoint = null, health = null } = found ?? {};
  const isPaused = delivery.status === 'PENDING' && health?.state === 'PAUSED';
  const [{ request } = {}] = await rowsOfRequests(db, merchantId, [delivery], requestOf);
  const event = eventTitle(visit.language, delivery.eventType);
  const of = request && [request.payer.name, amountText(visit, request.amountCents)];
  const names = {
    endpoint: endpoint?.description ?? delivery.endpointId ?? '',
    request: request?.invoiceNumber ?? request?.payer.name ?? delivery.paymentRequestId,
  };
  const title = delivery.isTest ? text('testTitle') : event;
  const named = [title, ...(of ?? [])].filter(Boolean).join(' · ');
  const badge = deliveryBadge(visit, isPaused ? { ...delivery, last: null } : delivery);
  // A delivery that was just made, or is being sent, is over in moments.
  const isMoving = delivery.status === 'PENDING' && !isPaused;
  const state = html`!${testResult(visit, sent)}!${failureOf(visit, sent, isPaused)}
<section class="card">!${deliveryFacts(visit, sent, health, names)}</section>
!${attemptsOf(visit, sent)}`;
  const acts = renderActs(visit, text, [REDELIVER], delivery);
  const under = acts && html`${text('redeliverHint')}`;
  const back = {
    href: `/console/m/${merchantId}/deliveries`,
    name: LIST_TEXTS[visit.language].text('title'),
  };
  return {
    title,
    head: { title: named, badge, under, back, acts },
    scripts: [
      'console-countdown',
      'copy-fields',
      ...(isMoving ? ['console-refresh' as const] : []),
    ],
    body: html`!${refreshed('delivery', state, isMoving)}
!${bodyOf(visit, sent)}!${copyStatus(visit)}`,
  };
}

/** The result of a test in a sentence. */
function testResult({ language }: Visit, { delivery, attempts }: SentWebhook): string {
  if (!delivery.isTest) return '';
  const { text } = DELIVERY_TEXTS[language];
  const last = attempts.at(-1);
  if (!last) return html`<p class="notice warning" role="status">${text('testRunning')}</p>`;
  const { outcome, httpStatus, durationMs } = last;
  const isGood = outcome === 'SUCCEEDED';
  const line = isGood
    ? text('testGood', { status: httpStatus ?? 0, ms: durationMs })
    : text('testBad', { reason: OUTCOME_TEXTS[language].text(outcome) });
  return html`<p class="notice !${isGood ? '' : 'bad'}" role="status">${line}</p>`;
}

/** Why the webhook has not arrived, and when it is tried again. */
function failureOf(visit: Visit, { delivery, attempts }: SentWebhook, isHeld: boolean): string {
  const { text } = DELIVERY_TEXTS[visit.language];
  const { isTest, status } = delivery;
  const last = attempts.at(-1);
  if (isTest || !last || status === 'SUCCEEDED') return '';
  const reason = OUTCOME_TEXTS[visit.language].text(last.outcome);
  const next = nextAttempt(visit, delivery, isHeld);
  const then = next && html` ${text('next')} !${next}.`;
  return html`<p class="notice bad">${text('notDelivered')} ${reason}!${then ?? ''}</p>`;
}

function deliveryFacts(
  visit: Visit,
  { delivery, sequence }: SentWebhook,
  health: EndpointHealth | null,
  names: { readonly endpoint: string; readonly request: string },
): string {
  const { text } = DELIVERY_TEXTS[visit.language];
  const { status, endedBecause, isTest, paymentRequestId, endpointId, eventId } = delivery;
  const reason = OUTCOME_TEXTS[visit.language].text(endedBecause ?? 'ATTEMPTS_EXHAUSTED');
  const link = (href: string, label: string) => html`<a href="${href}">${label}</a>`;
  return facts([
    [text('ended'), status === 'EXHAUSTED' && html`${reason}`],
    [text('event'), html`<code>${delivery.eventType}</code>`],
    [
      text('request'),
      !isTest && link(merchantHref(visit, 'payment-requests', paymentRequestId), names.request),
    ],
    [text('sequence'), !isTest && html`${sequence}`],
    [text('url'), html`<code>${delivery.url}</code>`],
    [
      text('endpoint'),
      endpointId === null
        ? html`${text('ownUrl')}`
        : delivery.isEndpointDeleted
          ? html`<code>${endpointId}</code>`
          : html`!${link(merchantHref(visit, 'endpoints', endpointId), names.endpoint)}
!${health ? endpointBadge(visit, health) : ''}`,
    ],
    [text('eventId'), copyField(visit, { id: 'event-id', label: text('eventId'), value: eventId })],
    [text('created'), instant(visit, delivery.createdAt)],
    [text('completed'), delivery.completedAt && instant(visit, delivery.completedAt)],
  ]);
}

function nextAttempt(visit: Visit, delivery: WebhookDelivery, isHeld: boolean): string | null {
  const { text } = DELIVERY_TEXTS[visit.language];
  const { status, nextAttemptAt } = delivery;
  if (status !== 'PENDING') return null;
  if (isHeld) return html`${text('held')}`;
  if (nextAttemptAt === null || nextAttemptAt <= visit.now) return html`${text('soon')}`;
  const left = countdown(visit, nextAttemptAt, (time) => text('inTime', { left: time }));
  return `${instant(visit, nextAttemptAt)} · ${left}`;
}

function attemptsOf(visit: Visit, { delivery, attempts }: SentWebhook): string {
  const { text } = DELIVERY_TEXTS[visit.language];
  const views = attempts
    .toReversed()
    .map((attempt, index) => attemptView(visit, delivery.url, attempt, index === 0));
  const none = html`<p class="quiet">${text('noAttempt')}</p>`;
  return html`<h2>${text('attempts')}</h2>!${views.length > 0 ? views.join('') : none}`;
}

function bodyOf(visit: Visit, { body, delivery }: SentWebhook): string {
  const { text } = DELIVERY_TEXTS[visit.language];
  const heading = html`<h2>${text('body')}</h2>`;
  if (body === null) return html`!${heading}<p>${text('bodyGone')}</p>`;
  const shown = indentJson(body);
  return html`!${heading}!${delivery.isErased ? html`<p>${text('erased')}</p>` : ''}
<p class="small">${text('bodyHint')}</p>
!${copyField(visit, { id: 'body', label: text('body'), value: body, shown, isBlock: true })}`;
}

/** An attempt: a line with the outcome, which opens to the request as sent and the answer. */
function attemptView(visit: Visit, url: string, attempt: ShownAttempt, isOpen: boolean): string {
  const { text } = DELIVERY_TEXTS[visit.language];
  const { outcome, durationMs, startedAt } = attempt;
  return html`<details class="attempt" id="attempt-${attempt.attempt}"!${
    isOpen ? ' open' : ''
  }><summary>
<span>${text('attempt', { number: attempt.attempt })}</span>
!${answerBadge(visit.language, attempt)}
<span>${text('ms', { ms: durationMs })}</span>!${instant(visit, startedAt)}</summary>
<div class="inside"><p>${OUTCOME_TEXTS[visit.language].text(outcome)}</p>
<div class="split"><div>!${sentTo(visit, url, attempt)}</div>
<div>!${answerOf(visit, attempt)}</div></div></div></details>`;
}

function sentTo({ language }: Visit, url: string, { headers }: ShownAttempt): string {
  const { text } = DELIVERY_TEXTS[language];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<h3>${text('sent')}</h3><pre class="wrap" tabindex="0" role="region"
 aria-label="${text('sent')}"><code>${[`POST ${url}`, ...lines].join('\n')}</code></pre>
<p class="small">${text('blanked')}</p>`;
}

function answerOf({ language }: Visit, attempt: ShownAttempt): string {
  const { text } = DELIVERY_TEXTS[language];
  const { httpStatus, responseBody, durationMs, dnsMs, connectMs, tlsMs, firstByteMs } = attempt;
  const time = (key: 'dns' | 'connect' | 'tls' | 'firstByte', ms: number | null) =>
    [text(key), ms === null ? null : html`${text('ms', { ms })}`] as const;
  const body =
    responseBody === null
      ? html`<p>${text(httpStatus === null ? 'noAnswer' : 'emptyAnswer')}</p>`
      : html`<p class="small">${text('excerpt')}</p><pre tabindex="0" role="region"
 aria-label="${text('excerpt')}"><code>${shownExcerpt(responseBody)}</code></pre>`;
  const list = facts([
    [text('httpStatus'), httpStatus === null ? null : html`${httpStatus}`],
    [text('duration'), html`${text('ms', { ms: durationMs })}`],
    time('dns', dnsMs),
    time('connect', connectMs),
    time('tls', tlsMs),
    time('firstByte', firstByteMs),
  ]);
  return html`<h3>${text('answer')}</h3>!${list}!${body}`;
}

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
    eventType: show.cell(
      ({ eventType, isTest }, { language }) =>
        html`${eventTitle(language, eventType)}!${
          isTest ? html` <span class="small">${words(language).text('test')}</span>` : ''
        }`,
    ),
    status: show.cell((delivery, visit) => deliveryBadge(visit, delivery)),
    amount: show.money(({ request }) => request?.amountCents ?? null),
    payer: PEOPLE.payer,
    lastAttempt: { ...show.age((delivery) => delivery.lastAttemptAt), order: 'attempt' },
    created: { ...show.age((delivery) => delivery.createdAt), order: 'created' },
    // The status of a delivery that is tried again says it.
    lastAnswer: show.cell(({ last }, { language }) => (last ? answerBadge(language, last) : null)),
    invoiceNumber: PEOPLE.invoiceNumber,
    url: show.url((delivery) => delivery.url),
    attempts: show.count((delivery) => delivery.attempts),
    next: show.age((delivery) => delivery.nextAttemptAt),
    completed: show.age((delivery) => delivery.completedAt),
    paymentRequest: show.id(requestOf),
    endpoint: show.id((delivery) => delivery.endpointId),
    id: show.id((delivery) => delivery.id),
  },
  usual: 6,
  rowAddress: (delivery, visit) => merchantHref(visit, 'deliveries', delivery.id),
};
