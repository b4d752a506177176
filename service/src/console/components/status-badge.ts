import type { Status } from '#payment-requests/model/statuses.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';
import type { DeliveryStatus } from '#webhooks/model/delivery.ts';
import type { EndpointStatus } from '#webhooks/model/endpoint.ts';
import { badge, type Tone } from './badge.ts';

const TONES: Readonly<Record<Status | RefundStatus | DeliveryStatus | EndpointStatus, Tone>> = {
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
  ACTIVE: 'good',
  PAUSED: 'wait',
};

export type ShownStatus = keyof typeof TONES;

export function toneOf(status: ShownStatus): Tone {
  return TONES[status];
}

/**
 * The status of a payment request, refund, delivery or endpoint.
 *
 * @param word left out: the API's own word, so that people and integrations speak alike
 */
export function statusBadge(status: ShownStatus, word: string = status): string {
  return badge(word, TONES[status]);
}
