import type { WebhookEventType } from './event-types.ts';
import type { DeliveryOutcome } from './outcomes.ts';

export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'EXHAUSTED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why a delivery is EXHAUSTED, with what it tells a merchant. */
export const END_REASONS = {
  ATTEMPTS_EXHAUSTED: 'No attempt was answered 2xx.',
  ENDPOINT_DELETED: 'The webhook endpoint was deleted.',
  RETENTION_ENDED: 'The event was kept for its time, and the listener could not be reached.',
  LISTENER_FAILING: 'The listener has answered nothing with 2xx for five days.',
} as const;
export type EndReason = keyof typeof END_REASONS;

/**
 * The latest attempts by which a list can be narrowed. `failed`: any that did not deliver.
 * `connection`: there was no answer. Statuses of HTTP come in classes.
 */
export const LAST_ANSWERS = [
  'failed',
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  'timeout',
  'connection',
] as const;
export type LastAnswerClass = (typeof LAST_ANSWERS)[number];

/**
 * The orders of a list: the latest first. `attempt` orders those whose latest attempt failed, and
 * lists no others: an entry of an index for each delivery that arrives would cost every sending.
 */
export const DELIVERY_ORDERS = ['created', 'attempt'] as const;

/** The payment request of tests: there is none with this id. */
export const NIL_PAYMENT_REQUEST = '00000000-0000-0000-0000-000000000000';

/** An event on its way to one URL. */
export interface WebhookDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly isTest: boolean;
  readonly isErased: boolean;
  readonly paymentRequestId: string;
  /** null: the payment request's own webhook URL. */
  readonly endpointId: string | null;
  readonly isEndpointDeleted: boolean;
  readonly url: string;
  readonly status: DeliveryStatus;
  /** null: not EXHAUSTED, or every attempt was made. */
  readonly endedBecause: Exclude<EndReason, 'ATTEMPTS_EXHAUSTED'> | null;
  /** Made so far. */
  readonly attempts: number;
  /** The latest attempt; null: none was made, or it is no longer kept. */
  readonly last: {
    readonly outcome: DeliveryOutcome;
    /** null: there was no answer. */
    readonly httpStatus: number | null;
  } | null;
  readonly lastAttemptAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}
