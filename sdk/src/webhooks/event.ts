import type { OneOf, PaymentRequest } from '../payment-request.ts';

/** The credentials by which a listener verifies the service (credentials.json, `listener`). */
export interface ListenerCredentials {
  readonly username: string;
  readonly password: string;
  /** `whsec_…`; both secrets during a rotation. */
  readonly signingSecret: string | readonly string[];
}

/** The body of a webhook. */
export interface WebhookEvent {
  readonly eventType: OneOf<'PAYMENT-COMPLETED' | 'PAYMENT-FAILED'>;
  readonly message: string;
  readonly resourceType: string;
  /** The payment request with the status of this event. */
  readonly resource: PaymentRequest;
  /** The event's identifier: equal in every attempt, so that a listener recognises a repeat. */
  readonly id: string;
  readonly createdDateTime: string;
  /** The number of the event within its payment request, from 1. */
  readonly sequence: number;
  /** True for a test of the listener; its payment request does not exist. */
  readonly test?: boolean;
}
