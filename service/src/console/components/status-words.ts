import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { Status } from '#payment-requests/model/statuses.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';
import type { DeliveryStatus } from '#webhooks/model/delivery.ts';

/** A status of each kind of thing that has one; French words follow the gender of the thing. */
export type ShownStatus =
  | `request.${Status}`
  | `refund.${RefundStatus}`
  | `delivery.${DeliveryStatus}`
  | 'endpoint.ACTIVE'
  | 'endpoint.PAUSED';

const texts = pageTexts('console.statuses');

/** The word of a status, the same on every page. */
export function statusWord(language: ConsoleLanguage, status: ShownStatus): string {
  return texts[language].text(status);
}

/** The kinds of things that have a status. */
export type StatusKind = ShownStatus extends `${infer Kind}.${string}` ? Kind : never;
