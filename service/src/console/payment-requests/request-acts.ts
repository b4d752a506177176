import { html } from 'ghtml';
import { copyButton, copyStatus } from '#console/components/parts.ts';
import { requestPath } from '#console/components/values.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import type { ConsoleRedirect, Visit } from '#console/shell/visit.ts';
import { CANCELLATION_REASONS } from '#payment-requests/model/cancellation-reasons.ts';
import { availableCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { isOpen, isUnfinished } from '#payment-requests/model/statuses.ts';
import type { RequestDetails } from './read-details.ts';
import { REQUEST_TEXTS } from './texts.ts';

/** Contract §4, Cancel. */
export const LONGEST_COMMENT = 250;

/** The address of a payment request's page, below `/console`. */
export function pathOf({ merchantId }: Visit, { id }: Pick<PaymentRequest, 'id'>): string {
  return `/m/${merchantId}/payment-requests/${id}`;
}

/** The page again, after an act of it. */
export const backTo = ({ merchantId, params }: Visit, done: string): ConsoleRedirect => ({
  to: requestPath(merchantId, params.id ?? ''),
  done,
});

/** The acts of the page's head, as far as they are possible and allowed now. */
export function headActs(visit: Visit, shown: RequestDetails): string {
  const { text } = REQUEST_TEXTS[visit.language];
  const { paymentRequest: p } = shown;
  const path = `/console${pathOf(visit, p)}`;
  const canRefund = p.payment && availableCents(p) > 0 && visit.can('refunds.create');
  // The next refund would fail for the same reason.
  const isVain = shown.refunds[0]?.statusReasonCode === 'PAYER_ACCOUNT_UNKNOWN';
  const look = shown.openRefund || isVain ? 'button quiet' : 'button';
  const isCancelling = visit.query.get('act') === 'cancel';
  return [
    p.payment && html`<a class="button quiet" href="${path}/receipt">${text('receipt')}</a>`,
    canCancel(visit, p) &&
      !isCancelling &&
      html`<a class="button quiet" href="?act=cancel#cancel">${text('cancelShort')}</a>`,
    isUnfinished(p.status) &&
      copyButton(visit, { id: 'link', label: text('link'), words: text('copyLink'), isMain: true }),
    canRefund && html`<a class="${look}" href="${path}/refund">${text('refund')}</a>`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Link and QR code. */
export function requestActs(visit: Visit, p: PaymentRequest, paymentLink: string): string {
  const { text } = REQUEST_TEXTS[visit.language];
  const path = pathOf(visit, p);
  return html`<h2>${text('link')}</h2><p><code id="link">${paymentLink}</code></p>
!${copyStatus(visit)}
<details><summary>${text('qr')}</summary><img class="qr" src="/console${path}/qr.svg"
 alt="${text('qrAlt')}" width="192" height="192" loading="lazy"></details>`;
}

function canCancel(visit: Visit, { status }: PaymentRequest): boolean {
  return isOpen(status) && visit.can('payment-requests.cancel');
}

/** The form that cancels, which the head opens above all else. */
export function cancellation(visit: Visit, p: PaymentRequest): string {
  if (!canCancel(visit, p) || visit.query.get('act') !== 'cancel') return '';
  const { text } = REQUEST_TEXTS[visit.language];
  const form = renderForm(visit, {
    action: `${pathOf(visit, p)}/cancel`,
    items: [
      {
        name: 'reason',
        kind: 'radio',
        label: text('cancelReason'),
        isRequired: true,
        options: CANCELLATION_REASONS.map((each) => [each, html`${text(`reason.${each}`)}`]),
      },
      {
        name: 'comment',
        label: text('cancelComment'),
        hint: text('cancelHint'),
        maxLength: LONGEST_COMMENT,
      },
    ],
    buttons: html`!${button(text('cancelNow'), { kind: 'danger' })}
<a class="button quiet" href="?">${text('keep')}</a>`,
  });
  return html`<section class="card form"><h2 id="cancel">${text('cancel')}</h2>
<p>${text('cancelWhy')}</p>!${form}</section>`;
}
