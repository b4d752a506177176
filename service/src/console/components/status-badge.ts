import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { amountText } from './amount.ts';
import type { Tone } from './badge.ts';
import { type ShownStatus, STATUS_TEXTS, statusWord } from './status-words.ts';

const TONES: Readonly<Record<ShownStatus, Tone>> = {
  'request.CREATED': 'info',
  'request.PROCESSING': 'info',
  'request.PAID': 'good',
  'request.FAILED': 'bad',
  'request.EXPIRED': 'neutral',
  'request.CANCELLED': 'neutral',
  'refund.CREATED': 'info',
  'refund.PROCESSING': 'info',
  'refund.COMPLETED': 'good',
  'refund.FAILED': 'bad',
  'message.SCHEDULED': 'info',
  'message.SENT': 'good',
  'message.DELIVERED': 'good',
  'message.BOUNCED': 'bad',
  'message.FAILED': 'bad',
  'message.SUPPRESSED': 'warning',
  'message.CANCELLED': 'neutral',
  'delivery.PENDING': 'info',
  'delivery.SUCCEEDED': 'good',
  'delivery.EXHAUSTED': 'bad',
  'endpoint.ACTIVE': 'good',
  'endpoint.PAUSED': 'warning',
};

/** Every status that a badge shows. */
export const SHOWN_STATUSES = Object.keys(TONES) as ShownStatus[];

export function toneOf(status: ShownStatus): Tone {
  return TONES[status];
}

/** The status of a payment request, refund, delivery or endpoint; programs read the API's word. */
export function statusBadge({ language }: Pick<Visit, 'language'>, status: ShownStatus): string {
  const [, apiWord = ''] = status.split('.');
  const word = statusWord(language, status);
  return html`<span class="badge ${TONES[status]}" data-status="${apiWord}">${word}</span>`;
}

/** The status of a payment request, with the money that one without a payment has received. */
export function requestBadge(visit: Visit, { status, payment, sums }: PaymentRequest): string {
  const badge = statusBadge(visit, `request.${status}`);
  if (payment || sums.receivedCents === 0) return badge;
  const amount = amountText(visit, sums.receivedCents);
  const part = STATUS_TEXTS[visit.language].text('part', { amount });
  return html`!${badge} <span class="small">${part}</span>`;
}
