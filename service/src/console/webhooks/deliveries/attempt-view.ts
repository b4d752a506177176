import { html } from 'ghtml';
import { facts } from '#console/components/facts.ts';
import { answerBadge } from '#console/components/health-badge.ts';
import { instant } from '#console/components/instant.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { shownExcerpt } from '#webhooks/https/answer-excerpt.ts';
import type { ShownAttempt } from '#webhooks/inspection/read-sent-webhook.ts';
import { OUTCOME_TEXTS } from '../outcome-texts.ts';

const DELIVERY_TEXTS = pageTexts('console.webhooks.deliveries');

/** An attempt: a line with the outcome, which opens to the request as sent and the answer. */
export function attemptView(
  visit: Visit,
  url: string,
  attempt: ShownAttempt,
  isOpen: boolean,
): string {
  const { text } = DELIVERY_TEXTS[visit.language];
  const { outcome, durationMs, startedAt } = attempt;
  return html`<details class="attempt" id="attempt-${attempt.attempt}"!${
    isOpen ? ' open' : ''
  }><summary>
<span>${text('attempt', { number: attempt.attempt })}</span>
!${answerBadge(visit.language, attempt)}
<span>${text('ms', { ms: durationMs })}</span>!${instant(visit, startedAt)}</summary>
<div class="inside"><p>${OUTCOME_TEXTS[visit.language].text(outcome)}</p>
<div class="split"><div>!${requestOf(visit, url, attempt)}</div>
<div>!${answerOf(visit, attempt)}</div></div></div></details>`;
}

function requestOf({ language }: Visit, url: string, { headers }: ShownAttempt): string {
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
