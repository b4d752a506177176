import type { OneOf, PaymentRequest } from '../payment-request.ts';

/** What a merchant's listener knows of the service (credentials.json, `listener`). */
export interface ListenerCredentials {
  readonly username: string;
  readonly password: string;
  /** `whsec_…`; during a rotation, both. */
  readonly signingSecret: string | readonly string[];
}

/** The body of a webhook. */
export interface WebhookEvent {
  readonly eventType: OneOf<'PAYMENT-COMPLETED' | 'PAYMENT-FAILED'>;
  readonly message: string;
  readonly resourceType: string;
  /** The payment request as reading answers it at that status. */
  readonly resource: PaymentRequest;
  /** The event's identifier: equal in every attempt, so that a repeat can be told. */
  readonly id: string;
  readonly createdDateTime: string;
  /** Counts the events of one payment request, from 1. */
  readonly sequence: number;
  /** Sent to try a listener out, about a payment request that there is not. */
  readonly test?: boolean;
}
