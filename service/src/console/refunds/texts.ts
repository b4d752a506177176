import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

/** Refusals for which the form has its own words; others keep the sentence of the API. */
export const REFUSALS = [
  'REFUNDS_DISABLED',
  'NOT_PAID',
  'REFUNDS_NOT_SUPPORTED',
  'REFUND_LIMIT_REACHED',
  'REFUND_AMOUNT_MISMATCH',
  'REFUND_AMOUNT_EXCEEDED',
  'OTHER_PROPOSAL_OPEN',
] as const;
export type Refusal = (typeof REFUSALS)[number];

type Key =
  | `refusal.${Refusal}`
  | 'title'
  | 'back'
  | 'paymentRequest'
  | 'asked'
  | 'received'
  | 'refunded'
  | 'available'
  | 'notPaid'
  | 'nothingLeft'
  | 'needsTwo'
  | 'needsTwoAbove'
  | 'openProposal'
  | 'howMuch'
  | 'full'
  | 'half'
  | 'other'
  | 'amount'
  | 'amountHint'
  | 'amountFault'
  | 'choiceFault'
  | 'why'
  | 'whyFault'
  | 'send'
  | 'outdated';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Give money back',
    back: 'Back to the payment request',
    paymentRequest: 'Payment request',
    asked: 'Amount asked for',
    received: 'Received',
    refunded: 'Refunded or under way',
    available: 'Available for refunds',
    notPaid: 'The payment request is not paid, so there is nothing to give back.',
    nothingLeft: 'All of the money has been given back or taken back already.',
    needsTwo: 'Another person must approve the refund before it happens.',
    needsTwoAbove:
      'Another person must approve the refund when the refunds of this payment come to more ' +
      'than {limit}.',
    openProposal: 'A refund of this payment waits for an approval.',
    howMuch: 'How much',
    full: 'All of it, {amount}',
    half: 'Half of it, {amount}',
    other: 'Another amount',
    amount: 'Amount',
    amountHint: 'For another amount: up to {amount}.',
    amountFault: 'Give an amount such as 12.34, up to {amount}.',
    choiceFault: 'Choose how much to give back.',
    why: 'Why',
    whyFault: 'Choose the reason.',
    send: 'Give the money back',
    outdated: 'The form was incomplete. Check it, and send it again.',
    'refusal.REFUNDS_DISABLED': 'Refunds are off for this merchant. Ask the operator.',
    'refusal.NOT_PAID': 'The payment request is not paid, so there is nothing to give back.',
    'refusal.REFUNDS_NOT_SUPPORTED': 'The network of this service cannot give money back.',
    'refusal.REFUND_LIMIT_REACHED':
      'The amount is above what is left of the merchant’s limit for today.',
    'refusal.REFUND_AMOUNT_MISMATCH':
      'The amount available has changed since you opened the form. Nothing was done: check it, ' +
      'and send it again.',
    'refusal.REFUND_AMOUNT_EXCEEDED': 'The amount is above what is available.',
    'refusal.OTHER_PROPOSAL_OPEN':
      'Another refund of this payment waits for an approval. It must end before a new one begins.',
  },
  fr: {
    title: 'Rembourser',
    back: 'Retour à la demande de paiement',
    paymentRequest: 'Demande de paiement',
    asked: 'Montant demandé',
    received: 'Reçu',
    refunded: 'Remboursé ou en cours',
    available: 'Disponible pour remboursement',
    notPaid: 'La demande de paiement n’est pas payée\u00a0: il n’y a rien à rembourser.',
    nothingLeft: 'Tout l’argent a déjà été remboursé ou repris.',
    needsTwo: 'Une autre personne doit approuver le remboursement avant qu’il ait lieu.',
    needsTwoAbove:
      'Une autre personne doit approuver le remboursement quand les remboursements de ce ' +
      'paiement dépassent {limit}.',
    openProposal: 'Un remboursement de ce paiement attend une approbation.',
    howMuch: 'Combien',
    full: 'La totalité, {amount}',
    half: 'La moitié, {amount}',
    other: 'Un autre montant',
    amount: 'Montant',
    amountHint: 'Pour un autre montant\u00a0: jusqu’à {amount}.',
    amountFault: 'Indiquez un montant comme 12,34, jusqu’à {amount}.',
    choiceFault: 'Choisissez combien rembourser.',
    why: 'Pourquoi',
    whyFault: 'Choisissez une raison.',
    send: 'Rembourser',
    outdated: 'Le formulaire était incomplet. Vérifiez-le, et envoyez-le de nouveau.',
    'refusal.REFUNDS_DISABLED':
      'Les remboursements sont désactivés pour ce marchand. Adressez-vous à l’exploitant.',
    'refusal.NOT_PAID': 'La demande de paiement n’est pas payée\u00a0: il n’y a rien à rembourser.',
    'refusal.REFUNDS_NOT_SUPPORTED': 'Le réseau de ce service ne peut pas rembourser.',
    'refusal.REFUND_LIMIT_REACHED':
      'Le montant dépasse ce qui reste de la limite du marchand pour aujourd’hui.',
    'refusal.REFUND_AMOUNT_MISMATCH':
      'Le montant disponible a changé depuis l’ouverture du formulaire. Rien n’a été ' +
      'fait\u00a0: vérifiez, et envoyez de nouveau.',
    'refusal.REFUND_AMOUNT_EXCEEDED': 'Le montant dépasse ce qui est disponible.',
    'refusal.OTHER_PROPOSAL_OPEN':
      'Un autre remboursement de ce paiement attend une approbation. Il doit se terminer d’abord.',
  },
};

export const REFUND_FORM_TEXTS = compileTexts(CATALOGUE);
