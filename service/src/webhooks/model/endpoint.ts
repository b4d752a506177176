import type { StoredEventTypes } from './event-types.ts';

export const ENDPOINT_STATUSES = ['ACTIVE', 'PAUSED'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Why an endpoint is paused, with what it tells a merchant. */
export const PAUSE_REASONS = {
  PAUSED_BY_MERCHANT: 'You paused it.',
  GONE: 'The listener answered 410: it wants nothing more at this URL.',
  FAILING: 'The listener has failed for days.',
} as const;

/** A stored endpoint: a merchant's URL for events. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly merchantId: string;
  /** The URL as the guard's verdict spells it. */
  readonly url: string;
  /** null: the types of the interface specification. */
  readonly eventTypes: StoredEventTypes | null;
  readonly description: string | null;
  readonly status: EndpointStatus;
  /** A value of PAUSE_REASONS while the endpoint is PAUSED. */
  readonly pausedReason: string | null;
  readonly username: string;
  readonly passwordEncrypted: Buffer;
  readonly signingSecretEncrypted: Buffer;
  /** Signs beside the newer one until its end. */
  readonly previousSigningSecretEncrypted: Buffer | null;
  readonly previousSigningSecretUntil: Date | null;
  readonly createdAt: Date;
}
