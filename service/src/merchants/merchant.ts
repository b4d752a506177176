import type { MessageSettings } from './model/message-settings.ts';

/** A business that creates payment requests, as every part of the service sees it. */
export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly status: MerchantStatus;
  /** Whether a `merchantTransactionId` may be used only once (contract §4, Create). */
  readonly uniqueTransactionIds: boolean;
  /** Origins that a payment request's own `webhookUrl` may have in production. */
  readonly webhookOrigins: readonly string[];
  /** Origins that a `returnUrl` may have in production. */
  readonly returnOrigins: readonly string[];
  /** The messages to payers, where a payment request leaves the choice open. */
  readonly messageSettings: MessageSettings;
}

/** A suspended merchant makes no calls; payments in progress still end (contract §4). */
export type MerchantStatus = 'ACTIVE' | 'SUSPENDED';
