/** The kind of resource that an event shows (contract §6, §11): payment request or refund. */
export type ResourceType = 'Payment Requests API' | 'Payments API';

interface EventTypeFacts {
  readonly resourceType: ResourceType;
  /** The interface specification has it: a listener without a filter gets it. */
  readonly isSpecified: boolean;
  /** The event also goes to the `webhookUrl` of the payment request or refund that it shows. */
  readonly goesToOwnUrl: boolean;
  /** The event in words; null: the sentence of the reason. */
  readonly sentence: string | null;
}

/**
 * Every type of event that a merchant is notified of (interface §6, contract §11). A listener from
 * before a type was added asked for nothing of it, and gains nothing by an upgrade (decision 0047).
 */
export const EVENT_TYPE_FACTS = {
  'PAYMENT-COMPLETED': {
    resourceType: 'Payment Requests API',
    isSpecified: true,
    goesToOwnUrl: true,
    sentence: 'The payer completed the transaction.',
  },
  'PAYMENT-FAILED': {
    resourceType: 'Payment Requests API',
    isSpecified: true,
    goesToOwnUrl: true,
    sentence: null,
  },
  'PAYMENT-RETURNED': {
    resourceType: 'Payment Requests API',
    isSpecified: false,
    goesToOwnUrl: false,
    sentence: 'Money of the payment request was returned to the payer.',
  },
  'REFUND-COMPLETED': {
    resourceType: 'Payments API',
    isSpecified: false,
    goesToOwnUrl: true,
    sentence: 'The refund was sent to the payer’s account.',
  },
  'REFUND-FAILED': {
    resourceType: 'Payments API',
    isSpecified: false,
    goesToOwnUrl: true,
    sentence: null,
  },
  'MESSAGE-UNDELIVERED': {
    resourceType: 'Payment Requests API',
    isSpecified: false,
    goesToOwnUrl: false,
    sentence: 'The message with the payment link did not reach the payer.',
  },
} as const satisfies Readonly<Record<string, EventTypeFacts>>;

export type WebhookEventType = keyof typeof EVENT_TYPE_FACTS;

export const EVENT_TYPES = Object.keys(EVENT_TYPE_FACTS) as readonly WebhookEventType[];

/** The types of events without a filter. */
export const SPECIFIED_EVENT_TYPES = EVENT_TYPES.filter(
  (type) => EVENT_TYPE_FACTS[type].isSpecified,
);

/** In a filter: every type, and those that later versions add. It stands alone. */
export const ALL_EVENT_TYPES = '*';

/** A filter of event types, as it is asked for and answered. */
export type AskedEventType = WebhookEventType | typeof ALL_EVENT_TYPES;

/** A filter as it is stored: `*` stands behind the types that this version knows. */
export type StoredEventTypes = readonly AskedEventType[];
