import type { Status } from '#payment-requests/model/statuses.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';
import type { DeliveryStatus } from '#webhooks/model/delivery.ts';
import { badge, type Tone } from './badge.ts';

/** One tone a status: the word is the API's, so that people and integrations speak alike. */
const TONES: Readonly<Record<Status | RefundStatus | DeliveryStatus, Tone>> = {
  CREATED: 'wait',
  PROCESSING: 'wait',
  PAID: 'good',
  FAILED: 'bad',
  EXPIRED: 'plain',
  CANCELLED: 'plain',
  COMPLETED: 'good',
  PENDING: 'wait',
  SUCCEEDED: 'good',
  EXHAUSTED: 'bad',
};

export type ShownStatus = keyof typeof TONES;

export function toneOf(status: ShownStatus): Tone {
  return TONES[status];
}

/** The status of a payment request, refund or delivery. */
export function statusBadge(status: ShownStatus): string {
  return badge(status, TONES[status]);
}
