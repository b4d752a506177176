import type { STATUS_REASON_CODES } from '@payment-requests/sdk';
import type { OrderState } from '../order.ts';
import type { OrderRefund } from '../refunds/refund.ts';
import type { REFUSALS } from '../refunds/send-refund.ts';

export interface StateText {
  readonly heading: string;
  readonly text: string;
}

/** The words for every state of an order. */
export type StateTexts = Readonly<Record<OrderState, StateText>>;

/** The shop's own words for every `statusReason.code`; its `message` is for the merchant. */
export type ReasonTexts = Readonly<Record<(typeof STATUS_REASON_CODES)[number], string>>;

/** The shop's own words for every call to refund that the service refuses. */
export type RefusalTexts = Readonly<Record<(typeof REFUSALS)[number] | 'OTHER', string>>;

export type RefundStatusTexts = Readonly<Record<OrderRefund['status'], string>>;
