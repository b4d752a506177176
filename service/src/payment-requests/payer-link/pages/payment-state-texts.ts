import type { Language } from '#http/negotiation/choose-language.ts';
import type { StatusIcon } from '#http/pages/status-icons.ts';
import type { Catalogue } from '#http/pages/texts.ts';
import type { PaymentLinkState } from '#payment-requests/payer-link/link-state.ts';

/** Typographic apostrophes throughout: a straight one is an escape in an ICU message. */
const en = {
  'simulated.notice': 'Simulated network: no real money moves.',
  'paid.title': 'You paid {amount} to {merchant}',
  'paid.lead': 'The money was taken from your account at {institution}.',
  'paid.next': '{merchant} has been told. Keep the reference for your records.',
  'paidLate.lead':
    'The money was taken from your account at {institution}, after this request had already ended.',
  'paidLate.next':
    '{merchant} has been told. Ask them what happens now, and give them the reference.',
  'processing.title': 'Your payment is on its way',
  'processing.lead':
    'You confirmed {amount} to {merchant}. No money has arrived yet: your institution is still ' +
    'working on it.',
  'processing.next':
    'Don’t pay again. This page shows the result as soon as it is known; if it doesn’t change by ' +
    'itself, open the link again later. {merchant} is told either way.',
  'waiting.title': 'We’re checking what became of your payment',
  'waiting.lead': 'No money has arrived so far.',
  'waiting.next':
    'If you confirmed the payment, wait: this page shows the result as soon as it is known. If ' +
    'you didn’t, you can go on.',
  'waiting.continue': 'Go on to pay',
  'expired.title': 'This payment link has expired',
  'expired.lead': 'No money was taken. The link was good until {expiresAt}.',
  'expired.next': 'Ask {merchant} for a new link if you still want to pay.',
  'cancelled.title': 'This payment request was cancelled',
  'cancelled.lead': 'No money was taken: {merchant} no longer asks for it.',
  'cancelled.next': 'There is nothing for you to do. Questions? Ask {merchant}.',
  'failed.title': 'The payment did not go through',
  'failed.lead': 'No money was taken.',
  'failed.next': 'This link can’t be used again. Ask {merchant} for a new one to try once more.',
  'failed.PAYER_DECLINED': 'The payment was declined on your institution’s page.',
  'failed.AUTHENTICATION_FAILED': 'Your institution could not sign you in.',
  'failed.INSUFFICIENT_FUNDS': 'There is not enough money in the account that you chose.',
  'failed.ACCOUNT_RESTRICTED':
    'The account that you chose can’t be used for this payment. Your institution knows more.',
  'failed.AMOUNT_LIMIT_EXCEEDED':
    'The amount is above a limit of yours or of your institution. Your institution knows more.',
  'failed.SUSPECTED_FRAUD':
    'Your institution stopped the payment to protect you. Your institution knows more.',
  'failed.INSTITUTION_UNAVAILABLE': 'Your institution did not answer.',
  'failed.NETWORK_REJECTED': 'The e-transfer network rejected the payment.',
  'failed.NETWORK_TIMEOUT':
    'Your institution did not finish in time. Should the money arrive after all, this page will ' +
    'say so and {merchant} is told.',
  'suspended.title': 'This link can’t be paid at the moment',
  'suspended.lead': 'No money was taken: {merchant} can’t take payments here right now.',
  'suspended.next': 'Open this link again later, or ask {merchant} how else you can pay.',
  'networkAway.title': 'The payment page is not answering',
  'networkAway.lead': 'No money was taken, and your link is still good.',
  'networkAway.next': 'Wait a moment, then try again.',
  'networkAway.again': 'Try again',
  'facts.amount': 'Amount',
  'facts.merchant': 'To',
  'facts.message': 'Message',
  'facts.invoice': 'Invoice',
  'facts.institution': 'From',
  'facts.paidAt': 'Paid',
  'facts.reference': 'Reference',
  'close.text': 'You can close this window.',
  'close.button': 'Close this window',
  'close.print': 'Print',
} as const;

export type PaymentStateText = keyof typeof en;

const fr: Record<PaymentStateText, string> = {
  'simulated.notice': 'Réseau simulé\u00a0: aucun argent réel n’est transféré.',
  'paid.title': 'Vous avez payé {amount} à {merchant}',
  'paid.lead': 'L’argent a été prélevé de votre compte auprès de {institution}.',
  'paid.next': '{merchant} en a été avisé. Conservez la référence dans vos dossiers.',
  'paidLate.lead':
    'L’argent a été prélevé de votre compte auprès de {institution}, alors que cette demande ' +
    'était déjà terminée.',
  'paidLate.next':
    '{merchant} en a été avisé. Demandez-lui quelle est la suite, en donnant la référence.',
  'processing.title': 'Votre paiement est en cours',
  'processing.lead':
    'Vous avez confirmé {amount} à {merchant}. Aucun argent n’est encore arrivé\u00a0: votre ' +
    'institution y travaille.',
  'processing.next':
    'Ne payez pas une deuxième fois. Cette page affichera le résultat dès qu’il sera connu' +
    '\u00a0; si elle ne change pas d’elle-même, ouvrez de nouveau le lien plus tard. {merchant} ' +
    'en sera avisé dans tous les cas.',
  'waiting.title': 'Nous vérifions où en est votre paiement',
  'waiting.lead': 'Aucun argent n’est arrivé jusqu’à présent.',
  'waiting.next':
    'Si vous avez confirmé le paiement, attendez\u00a0: cette page affichera le résultat dès ' +
    'qu’il sera connu. Sinon, vous pouvez continuer.',
  'waiting.continue': 'Continuer vers le paiement',
  'expired.title': 'Ce lien de paiement a expiré',
  'expired.lead': 'Aucun argent n’a été prélevé. Le lien était valable jusqu’au {expiresAt}.',
  'expired.next': 'Demandez un nouveau lien à {merchant} si vous voulez toujours payer.',
  'cancelled.title': 'Cette demande de paiement a été annulée',
  'cancelled.lead': 'Aucun argent n’a été prélevé\u00a0: {merchant} ne le demande plus.',
  'cancelled.next': 'Vous n’avez rien à faire. Des questions\u00a0? Adressez-vous à {merchant}.',
  'failed.title': 'Le paiement n’a pas abouti',
  'failed.lead': 'Aucun argent n’a été prélevé.',
  'failed.next':
    'Ce lien ne peut plus servir. Demandez-en un nouveau à {merchant} pour essayer encore.',
  'failed.PAYER_DECLINED': 'Le paiement a été refusé sur la page de votre institution.',
  'failed.AUTHENTICATION_FAILED': 'Votre institution n’a pas pu vous authentifier.',
  'failed.INSUFFICIENT_FUNDS': 'Le compte choisi ne contient pas assez d’argent.',
  'failed.ACCOUNT_RESTRICTED':
    'Le compte choisi ne peut pas servir à ce paiement. Votre institution pourra vous renseigner.',
  'failed.AMOUNT_LIMIT_EXCEEDED':
    'Le montant dépasse l’une de vos limites ou celle de votre institution. Votre institution ' +
    'pourra vous renseigner.',
  'failed.SUSPECTED_FRAUD':
    'Votre institution a arrêté le paiement pour vous protéger. Elle pourra vous renseigner.',
  'failed.INSTITUTION_UNAVAILABLE': 'Votre institution n’a pas répondu.',
  'failed.NETWORK_REJECTED': 'Le réseau de virements a rejeté le paiement.',
  'failed.NETWORK_TIMEOUT':
    'Votre institution n’a pas terminé à temps. Si l’argent arrive malgré tout, cette page ' +
    'l’indiquera et {merchant} en sera avisé.',
  'suspended.title': 'Ce lien ne peut pas être payé pour le moment',
  'suspended.lead':
    'Aucun argent n’a été prélevé\u00a0: {merchant} ne peut pas recevoir de paiements ici ' +
    'actuellement.',
  'suspended.next':
    'Ouvrez de nouveau ce lien plus tard, ou demandez à {merchant} comment payer autrement.',
  'networkAway.title': 'La page de paiement ne répond pas',
  'networkAway.lead': 'Aucun argent n’a été prélevé, et votre lien reste valable.',
  'networkAway.next': 'Attendez un moment, puis réessayez.',
  'networkAway.again': 'Réessayer',
  'facts.amount': 'Montant',
  'facts.merchant': 'À',
  'facts.message': 'Message',
  'facts.invoice': 'Facture',
  'facts.institution': 'De',
  'facts.paidAt': 'Payé le',
  'facts.reference': 'Référence',
  'close.text': 'Vous pouvez fermer cette fenêtre.',
  'close.button': 'Fermer cette fenêtre',
  'close.print': 'Imprimer',
};

/** The texts of the pages of a payment link. */
export const PAYMENT_STATE_TEXTS: Catalogue<PaymentStateText> = { en, fr };

/** The words of a page. The page of OPEN is only for a network that does not answer. */
type Words = { readonly [Part in 'title' | 'lead' | 'next']: PaymentStateText } & {
  readonly mark: StatusIcon;
  /** Whether the page follows changes. */
  readonly isLive: boolean;
};

const words = (
  [title, lead, next]: readonly [PaymentStateText, PaymentStateText, PaymentStateText],
  mark: StatusIcon,
  isLive = false,
): Words => ({ title, lead, next, mark, isLive });

/** The words of each page. */
export const PAYMENT_STATE_WORDS: Readonly<Record<PaymentLinkState, Words>> = {
  OPEN: words(['networkAway.title', 'networkAway.lead', 'networkAway.next'], 'neutral'),
  WAITING: words(['waiting.title', 'waiting.lead', 'waiting.next'], 'wait', true),
  PROCESSING: words(['processing.title', 'processing.lead', 'processing.next'], 'wait', true),
  PAID: words(['paid.title', 'paid.lead', 'paid.next'], 'good'),
  PAID_LATE: words(['paid.title', 'paidLate.lead', 'paidLate.next'], 'good'),
  FAILED: words(['failed.title', 'failed.lead', 'failed.next'], 'bad'),
  EXPIRED: words(['expired.title', 'expired.lead', 'expired.next'], 'neutral'),
  CANCELLED: words(['cancelled.title', 'cancelled.lead', 'cancelled.next'], 'neutral'),
  SUSPENDED: words(['suspended.title', 'suspended.lead', 'suspended.next'], 'neutral'),
};

/** The notice on every page of a simulated network (contract §1). */
export function paymentStateNotice(language: Language): string {
  return PAYMENT_STATE_TEXTS[language]['simulated.notice'];
}
