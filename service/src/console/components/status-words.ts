import type { Language } from '#http/negotiation/choose-language.ts';
import { type Catalogue, compileTexts } from '#http/pages/texts.ts';
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

const CATALOGUE: Catalogue<ShownStatus> = {
  en: {
    'request.CREATED': 'Created',
    'request.PROCESSING': 'Processing',
    'request.PAID': 'Paid',
    'request.FAILED': 'Failed',
    'request.EXPIRED': 'Expired',
    'request.CANCELLED': 'Cancelled',
    'refund.CREATED': 'Created',
    'refund.PROCESSING': 'Processing',
    'refund.COMPLETED': 'Completed',
    'refund.FAILED': 'Failed',
    'delivery.PENDING': 'Pending',
    'delivery.SUCCEEDED': 'Succeeded',
    'delivery.EXHAUSTED': 'Given up',
    'endpoint.ACTIVE': 'Active',
    'endpoint.PAUSED': 'Paused',
  },
  fr: {
    'request.CREATED': 'Créée',
    'request.PROCESSING': 'En cours',
    'request.PAID': 'Payée',
    'request.FAILED': 'Échouée',
    'request.EXPIRED': 'Expirée',
    'request.CANCELLED': 'Annulée',
    'refund.CREATED': 'Créé',
    'refund.PROCESSING': 'En cours',
    'refund.COMPLETED': 'Effectué',
    'refund.FAILED': 'Échoué',
    'delivery.PENDING': 'En attente',
    'delivery.SUCCEEDED': 'Réussi',
    'delivery.EXHAUSTED': 'Abandonné',
    'endpoint.ACTIVE': 'Active',
    'endpoint.PAUSED': 'En pause',
  },
};

const texts = compileTexts(CATALOGUE);

/** The word of a status, the same on every page. */
export function statusWord(language: Language, status: ShownStatus): string {
  return texts[language].text(status);
}

type Kind = ShownStatus extends `${infer Before}.${string}` ? Before : never;

/** The words of a filter's choices: `option.PAID` for `request.PAID`. */
type OptionWords<Of extends Kind> = {
  readonly [Name in ShownStatus as Name extends `${Of}.${infer Status}`
    ? `option.${Status}`
    : never]: string;
};

export function optionWords<Of extends Kind>(language: Language, kind: Of): OptionWords<Of> {
  const words = Object.entries(CATALOGUE[language])
    .filter(([name]) => name.startsWith(`${kind}.`))
    .map(([name, word]) => [`option.${name.slice(kind.length + 1)}`, word]);
  return Object.fromEntries(words) as OptionWords<Of>;
}
