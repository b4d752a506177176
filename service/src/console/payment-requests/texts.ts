import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { WebhookEventType } from '#webhooks/model/event-types.ts';

export const REQUEST_TEXTS = pageTexts('console.payment-requests');
/** Why a payment or a refund failed. */
export const REASON_TEXTS = pageTexts('console.reasons');
const EVENT_TYPE_TEXTS = pageTexts('console.event-types');

/** The words of an event's type, as it is stored. */
export function eventWord(language: ConsoleLanguage, type: string): string {
  return EVENT_TYPE_TEXTS[language].text(`type.${type as WebhookEventType}`);
}
