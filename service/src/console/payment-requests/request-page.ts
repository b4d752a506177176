import { html } from 'ghtml';
import { instant } from '#console/components/instant.ts';
import { pageHead } from '#console/components/page-head.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { messageCard } from '#console/messages/message-card.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { takesNoMoney } from '#refunds/model/statuses.ts';
import { deliveryList } from './delivery-list.ts';
import type { RequestDetails } from './read-details.ts';
import { cancellation, headActs, pathOf, requestActs } from './request-acts.ts';
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

/** The line about a refund: its money is on its way to a person. */
function noticeOf({ language, currency, query }: Visit, shown: RequestDetails): string | null {
  const { text } = REQUEST_TEXTS[language];
  const [refund] = shown.refunds;
  if (query.get('done') !== 'refunded' || !refund || takesNoMoney(refund.status)) return null;
  const amount = localizedAmount(language, refund.amountCents, currency);
  return text('onItsWay', { amount, payer: shown.paymentRequest.payer.name || text('thePayer') });
}

/** A payment request as a story: who, how much, which state, and what happened. */
export function renderRequest(
  visit: Visit,
  shown: RequestDetails,
  { settings, messaging }: Pick<ConsoleDeps, 'settings' | 'messaging'>,
): ConsolePage {
  const { text } = REQUEST_TEXTS[visit.language];
  const { paymentRequest: p, isCut, entries } = shown;
  const cut = isCut
    ? html`<p class="notice warning">${text('cut', { count: entries.length })}</p>`
    : '';
  const live = `/console${pathOf(visit, p)}/live?seen=${shown.version}`;
  const link = `${settings.paymentLinkBase}/${p.shortCode}`;
  const amount = localizedAmount(visit.language, p.amountCents, visit.currency);
  const list = { href: `/console/m/${visit.merchantId}/payment-requests`, name: text('requests') };
  const head = pageHead({
    title: [p.payer.name, amount].filter(Boolean).join(' · '),
    badge: html`<span class="unseen">·</span> !${statusBadge(visit, `request.${p.status}`)}`,
    under: [p.invoiceNumber ?? p.merchantTransactionId, p.displayMessage]
      .filter((each) => each !== null)
      .map((each) => html`${each}`)
      .join(' · '),
    back: list,
    acts: html`<button class="link" type="button" id="live-switch" hidden
 data-pause="${text('pause')}" data-resume="${text('resume')}">${text('pause')}</button>
!${headActs(visit, p)}`,
  });
  const body = html`<div data-live="${live}">!${head}!${cancellation(visit, p)}
<div class="columns"><div><section class="card"><h2>${text('facts')}</h2>
!${requestFacts(visit, shown)}</section>!${erasureNotice(visit, shown)}
!${messageCard(visit, p, shown.messages, messaging)}
<section class="card"><h2>${text('webhooks')}</h2>!${deliveryList(visit, shown)}</section>
<section class="card">!${requestActs(visit, p, link)}</section></div>
<section class="card"><h2 id="timeline">${text('timeline')}</h2>
<p class="small">${text('newestFirst')}</p>!${cut}
!${timelineList(visit, shown)}</section></div></div>`;
  return {
    title: `${text('title')} ${p.id}`,
    section: 'payment-requests',
    body,
    scripts: ['copy-fields', 'console-live'],
    notice: noticeOf(visit, shown),
  };
}
