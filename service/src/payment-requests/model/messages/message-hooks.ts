import type { Executor } from '#database/database.ts';
import type { PaymentRequest } from '../payment-request.ts';
import type { PlannedChange } from '../plan-change.ts';
import type { LinkMessage } from './link-message.ts';

/**
 * Writes messages to payers, in the transaction of their cause. The feature of messages implements
 * the interface, and this feature knows nothing else of messages. It is called only for payment
 * requests with a `messagePlan`.
 */
export interface MessageHooks {
  created(tx: Executor, created: readonly PaymentRequest[]): Promise<void>;
  /**
   * Changes of status, in their order, before they are written.
   * @returns the links that they end by payment request, as answers and webhooks show them
   */
  changing(
    tx: Executor,
    changes: readonly PlannedChange[],
  ): Promise<ReadonlyMap<string, LinkMessage>>;
  /**
   * @param after the payment request with the merchant's changes
   * @returns its link after them
   */
  updated(tx: Executor, before: PaymentRequest, after: PaymentRequest): Promise<LinkMessage | null>;
}
