import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { money } from '#console/components/money.ts';
import { pageHead } from '#console/components/page-head.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { deliveryList } from './delivery-list.ts';
import type { RequestDetails } from './read-details.ts';
import { pathOf, requestActs } from './request-acts.ts';
import { requestFacts } from './request-facts.ts';
import { REQUEST_TEXTS } from './texts.ts';
import { timelineList } from './timeline-list.ts';

/** The order of an operator to erase the payer, while it waits. */
function erasureNotice(visit: Visit, { erasure }: RequestDetails): string {
  if (erasure === null) return '';
  const { text } = REQUEST_TEXTS[visit.language];
  const why = text(`erasure.${erasure.because}`);
  return html`<p class="notice warning">${text('erasureWaits')} ${why}
!${instant(visit, erasure.askedAt)}</p>`;
}

/** The keys of `?done=` that this page knows. */
const DONE = ['cancelled', 'again', 'simulated'] as const;

/** A payment request with everything that happened to it. */
export function renderRequest(
  visit: Visit,
  shown: RequestDetails,
  paymentLinkBase: string,
): ConsolePage {
  const { text } = REQUEST_TEXTS[visit.language];
  const { paymentRequest: p, isCut, entries } = shown;
  const done = DONE.find((key) => key === visit.query.get('done'));
  const cut = isCut
    ? html`<p class="notice warning">${text('cut', { count: entries.length })}</p>`
    : '';
  const live = `/console${pathOf(visit, p)}/live?seen=${shown.version}`;
  const acts = html`<button class="button quiet" type="button" id="live-switch" hidden
 data-pause="${text('pause')}" data-resume="${text('resume')}">${text('pause')}</button>`;
  const body = html`!${pageHead({ title: text('title'), acts })}
<div data-live="${live}"><p class="headline"><span class="number"
>!${money(visit, p.amountCents)}</span>!${statusBadge(visit, `request.${p.status}`)}</p>
<div class="columns"><div><h2>${text('facts')}</h2>!${requestFacts(visit, shown)}
!${erasureNotice(visit, shown)}
!${requestActs(visit, p, `${paymentLinkBase}/${p.shortCode}`)}</div>
<div><h2>${text('webhooks')}</h2>!${deliveryList(visit, shown)}
<h2>${text('timeline')}</h2><p class="small">${text('newestFirst')}</p>!${cut}
!${timelineList(visit, shown)}</div></div></div>`;
  return {
    title: `${text('title')} ${p.id}`,
    section: 'payment-requests',
    body,
    scripts: ['copy-fields', 'console-live'],
    ...(done && { notice: text(`done.${done}`) }),
  };
}
