import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import type { Tone } from './badge.ts';
import { type ShownStatus, statusWord } from './status-words.ts';

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
