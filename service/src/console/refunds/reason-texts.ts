import { type Catalogue, compileTexts } from '#http/pages/texts.ts';
import type { RefundReason } from '#refunds/model/statuses.ts';

const CATALOGUE: Catalogue<RefundReason> = {
  en: {
    REQUESTED_BY_CUSTOMER: 'The customer asked for it',
    DUPLICATE: 'Paid twice',
    FRAUDULENT: 'Fraud',
    OTHER: 'Another reason',
  },
  fr: {
    REQUESTED_BY_CUSTOMER: 'À la demande du client',
    DUPLICATE: 'Payé deux fois',
    FRAUDULENT: 'Fraude',
    OTHER: 'Autre raison',
  },
};

/** The reasons of refunds, for the form and the list. */
export const REFUND_REASON_TEXTS = compileTexts(CATALOGUE);
