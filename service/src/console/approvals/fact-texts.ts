import type { FailureCode } from '#approvals/model/proposal.ts';
import { compileTexts } from '#http/pages/texts.ts';

/** Every fact that an act can rest on, and every parameter that a page shows. */
export const FACT_NAMES = [
  'paymentRequestId',
  'refundId',
  'caseKind',
  'caseStatus',
  'caseMovements',
  'correctedMovement',
  'splitParts',
  'paymentRequestStatus',
  'isPaid',
  'askedCents',
  'arrivedCents',
  'leftCents',
  'receivedCents',
  'returnedCents',
  'refundingCents',
  'refundedCents',
  'availableCents',
  'refundStatus',
  'refundCents',
  'bookedCents',
  'accountVersion',
  'accountHolder',
  'accountIban',
  'accountBic',
  'accountAddress',
  'accountClosed',
] as const;
export type FactName = (typeof FACT_NAMES)[number];

export const FACT_TEXTS = compileTexts<FactName | `failure.${FailureCode}` | 'yes' | 'no'>({
  en: {
    yes: 'yes',
    no: 'no',
    paymentRequestId: 'Payment request',
    refundId: 'Refund',
    caseKind: 'Kind of the case',
    caseStatus: 'Case',
    caseMovements: 'Movements',
    correctedMovement: 'Booking to replace',
    splitParts: 'Parts',
    paymentRequestStatus: 'Status of the payment request',
    isPaid: 'Paid',
    askedCents: 'Amount asked for',
    arrivedCents: 'Money of the case',
    leftCents: 'Left of it',
    receivedCents: 'Received',
    returnedCents: 'Taken back',
    refundingCents: 'Refunds under way',
    refundedCents: 'Refunded',
    availableCents: 'Available for refunds',
    refundStatus: 'Status of the refund',
    refundCents: 'Amount of the refund',
    bookedCents: 'Booked by the bank',
    accountVersion: 'Version of the account',
    accountHolder: 'Account holder',
    accountIban: 'IBAN',
    accountBic: 'BIC',
    accountAddress: 'Address of the holder',
    accountClosed: 'Closed by the bank',
    'failure.TARGET_CHANGED':
      'Nothing was done: the facts had changed since the proposal. Look at them, and propose ' +
      'it again if it is still right.',
    'failure.REFUSED': 'Nothing was done: the act was refused.',
    'failure.TOO_LATE':
      'Nothing was done: the service could not act within an hour of the approval. Propose it ' +
      'again.',
    'failure.CONTENT_DAMAGED':
      'Nothing was done: the stored content is not the content that was approved. Tell the ' +
      'operator of the database.',
  },
  fr: {
    yes: 'oui',
    no: 'non',
    paymentRequestId: 'Demande de paiement',
    refundId: 'Remboursement',
    caseKind: 'Genre du dossier',
    caseStatus: 'Dossier',
    caseMovements: 'Mouvements',
    correctedMovement: 'Écriture à remplacer',
    splitParts: 'Parts',
    paymentRequestStatus: 'État de la demande de paiement',
    isPaid: 'Payée',
    askedCents: 'Montant demandé',
    arrivedCents: 'Argent du dossier',
    leftCents: 'Ce qui en reste',
    receivedCents: 'Reçu',
    returnedCents: 'Repris',
    refundingCents: 'Remboursements en cours',
    refundedCents: 'Remboursé',
    availableCents: 'Disponible pour remboursement',
    refundStatus: 'État du remboursement',
    refundCents: 'Montant du remboursement',
    bookedCents: 'Comptabilisé par la banque',
    accountVersion: 'Version du compte',
    accountHolder: 'Titulaire du compte',
    accountIban: 'IBAN',
    accountBic: 'BIC',
    accountAddress: 'Adresse du titulaire',
    accountClosed: 'Fermé par la banque',
    'failure.TARGET_CHANGED':
      'Rien n’a été fait\u00a0: les faits avaient changé depuis la proposition. Vérifiez-les, ' +
      'et proposez de nouveau si cela reste juste.',
    'failure.REFUSED': 'Rien n’a été fait\u00a0: l’acte a été refusé.',
    'failure.TOO_LATE':
      'Rien n’a été fait\u00a0: le service n’a pas pu agir dans l’heure suivant l’approbation. ' +
      'Proposez de nouveau.',
    'failure.CONTENT_DAMAGED':
      'Rien n’a été fait\u00a0: le contenu enregistré n’est pas celui qui a été approuvé. ' +
      'Prévenez l’exploitant de la base de données.',
  },
});
