import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import type { Tone } from './badge.ts';
import { type ShownStatus, statusWord } from './status-words.ts';

const TONES: Readonly<Record<ShownStatus, Tone>> = {
  'request.CREATED': 'wait',
  'request.PROCESSING': 'wait',
  'request.PAID': 'good',
  'request.FAILED': 'bad',
  'request.EXPIRED': 'plain',
  'request.CANCELLED': 'plain',
  'refund.CREATED': 'wait',
  'refund.PROCESSING': 'wait',
  'refund.COMPLETED': 'good',
  'refund.FAILED': 'bad',
  'delivery.PENDING': 'wait',
  'delivery.SUCCEEDED': 'good',
  'delivery.EXHAUSTED': 'bad',
  'endpoint.ACTIVE': 'good',
  'endpoint.PAUSED': 'wait',
};

export function toneOf(status: ShownStatus): Tone {
  return TONES[status];
}

/** The status of a payment request, refund, delivery or endpoint; programs read the API's word. */
export function statusBadge({ language }: Pick<Visit, 'language'>, status: ShownStatus): string {
  const [, apiWord = ''] = status.split('.');
  const word = statusWord(language, status);
  return html`<span class="badge ${TONES[status]}" data-status="${apiWord}">${word}</span>`;
}
