import { type Catalogue, compileTexts } from '#http/pages/texts.ts';
import type { EntryType } from '#ledger/model/entry.ts';

type Key = `type.${EntryType}`;

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
    'type.FEE': 'Charge of the bank',
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
    'type.FEE': 'Frais de la banque',
  },
};

/** Types of the ledger's entries, and statuses of payment requests. */
export const MONEY_WORDS = compileTexts(CATALOGUE);
