import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import type { MessageStatus } from '#payment-requests/model/messages/link-message.ts';
import type { Status } from '#payment-requests/model/statuses.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';
import type { DeliveryStatus } from '#webhooks/model/delivery.ts';
import type { WebhookEventType } from '#webhooks/model/event-types.ts';

/** A status of each kind of thing that has one; French words follow the gender of the thing. */
export type ShownStatus =
  | `request.${Status}`
  | `refund.${RefundStatus}`
  | `message.${MessageStatus}`
  | `delivery.${DeliveryStatus}`
  | 'endpoint.ACTIVE'
  | 'endpoint.PAUSED';

export const STATUS_TEXTS = pageTexts('console.statuses');
const EVENT_TYPE_TEXTS = pageTexts('console.event-types');

/** The word of a status, the same on every page. */
export function statusWord(language: ConsoleLanguage, status: ShownStatus): string {
  return STATUS_TEXTS[language].text(status);
}

/** The kinds of things that have a status. */
export type StatusKind = ShownStatus extends `${infer Kind}.${string}` ? Kind : never;

/** The words of an event's type, as it is stored. */
export function eventWord(language: ConsoleLanguage, type: string): string {
  return EVENT_TYPE_TEXTS[language].text(`type.${type as WebhookEventType}`);
}

/** The words of an event's type, where they stand alone. */
export function eventTitle(language: ConsoleLanguage, type: string): string {
  return upperFirst(eventWord(language, type));
}
