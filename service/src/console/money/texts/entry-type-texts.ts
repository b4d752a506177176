import { type Catalogue, compileTexts } from '#http/pages/texts.ts';
import type { EntryType } from '#ledger/model/entry.ts';
import type { Status } from '#payment-requests/model/statuses.ts';

type Key = `type.${EntryType}` | `status.${Status}`;

const CATALOGUE: Catalogue<Key> = {
  en: {
    'type.PAYMENT': 'Payment',
    'type.LATE_PAYMENT': 'Late payment',
    'type.PART_PAYMENT': 'Part of an amount',
    'type.SECOND_PAYMENT': 'Second payment',
    'type.UNMATCHED': 'Unmatched money',
    'type.ASSIGNED': 'Assigned by an operator',
    'type.RETURN': 'Taken back',
    'type.REFUND': 'Refund',
    'type.REFUND_RETURN': 'Refund that came back',
    'type.ADJUSTMENT': 'Correction',
    'status.CREATED': 'Created',
    'status.PROCESSING': 'Processing',
    'status.PAID': 'Paid',
    'status.FAILED': 'Failed',
    'status.EXPIRED': 'Expired',
    'status.CANCELLED': 'Cancelled',
  },
  fr: {
    'type.PAYMENT': 'Paiement',
    'type.LATE_PAYMENT': 'Paiement tardif',
    'type.PART_PAYMENT': 'Partie d’un montant',
    'type.SECOND_PAYMENT': 'Second paiement',
    'type.UNMATCHED': 'Argent non rapproché',
    'type.ASSIGNED': 'Attribué par l’exploitant',
    'type.RETURN': 'Repris',
    'type.REFUND': 'Remboursement',
    'type.REFUND_RETURN': 'Remboursement revenu',
    'type.ADJUSTMENT': 'Correction',
    'status.CREATED': 'Créée',
    'status.PROCESSING': 'En cours',
    'status.PAID': 'Payée',
    'status.FAILED': 'Échouée',
    'status.EXPIRED': 'Expirée',
    'status.CANCELLED': 'Annulée',
  },
};

/** Types of the ledger's entries, and statuses of payment requests. */
export const MONEY_WORDS = compileTexts(CATALOGUE);
