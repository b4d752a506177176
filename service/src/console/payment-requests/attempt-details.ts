import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { WebhookAttempt } from '#webhooks/deliveries/attempt-store.ts';
import type { SentEvent } from '#webhooks/deliveries/sent-store.ts';
import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import { shownHeaders } from '#webhooks/https/webhook-headers.ts';

const TIMELINE_TEXTS = pageTexts('console.payment-requests.timeline');

/** The request of an attempt with the answer, closed until a person opens it. */
export function attemptDetails(
  visit: Visit,
  attempt: WebhookAttempt,
  event: SentEvent | undefined,
): string {
  const { text } = TIMELINE_TEXTS[visit.language];
  const request = event ? sent(visit, attempt, event) : html`<p>${text('sentGone')}</p>`;
  return html`<details class="exchange"><summary>${text('attemptDetails')}</summary>
<h3>${text('sentHead')}</h3>!${request}
<h3>${text('answer')}</h3>!${answered(visit, attempt)}</details>`;
}

function sent({ language }: Visit, attempt: WebhookAttempt, event: SentEvent): string {
  const { text } = TIMELINE_TEXTS[language];
  const { id, body, traceparent } = event;
  const { url, startedAt } = attempt;
  const target = URL.parse(url);
  const lines = Object.entries(shownHeaders({ id, body, traceparent, url, startedAt }));
  const head = [
    `POST ${target ? target.pathname + target.search : url} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ];
  const bytes = Buffer.byteLength(body);
  return html`<pre class="wrap"><code>${head.join('\n')}</code></pre>
<p><a href="#event-${id}">${text('sentBody', { bytes })}</a></p>
<p class="small">${text('sentNote')}</p>`;
}

function answered({ language }: Visit, { httpStatus, responseBody }: WebhookAttempt): string {
  const { text } = TIMELINE_TEXTS[language];
  const status = httpStatus === null ? '' : html`<p><code>HTTP ${httpStatus}</code></p>`;
  if (responseBody === null) return html`!${status}<p class="small">${text('answerNone')}</p>`;
  return html`!${status}<pre class="wrap"><code>${shownExcerpt(responseBody)}</code></pre>
<p class="small">${text('answerCut')}</p>`;
}
