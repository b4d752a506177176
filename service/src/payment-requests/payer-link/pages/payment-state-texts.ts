import type { Language } from '#http/negotiation/choose-language.ts';
import type { Catalogue } from '#http/pages/texts.ts';

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
  'paidElsewhere.title': 'Paid on your other device',
  'paidElsewhere.lead': '{amount} was paid to {merchant}. Nothing was taken from you here.',
  'paidElsewhere.next': '{merchant} has been told. Your other device shows the details.',
  'paidByOther.title': 'This request has been paid',
  'paidByOther.lead': 'Nothing was taken from you here.',
  'paidByOther.next':
    'If you paid it on another device or in another browser, that payment counts. Don’t pay it ' +
    'again.',
  'arrived.lead': '{merchant} has received {amount}.',
  'arrived.next': '{merchant} has been told. Don’t pay it again.',
  'arrivedLate.lead': '{merchant} has received {amount}, after this request had already ended.',
  'processing.title': 'Your payment is on its way',
  'processing.lead':
    'You confirmed {amount} to {merchant}. No money has arrived yet: your institution is still ' +
    'working on it.',
  'processing.next':
    'Don’t pay again. This page shows the result as soon as it is known; if it doesn’t change by ' +
    'itself, open the link again later. {merchant} is told either way.',
  'processingByOther.title': 'This request is being paid',
  'processingByOther.lead':
    'Nothing was taken from you here: {amount} to {merchant} was confirmed on another device or ' +
    'in another browser.',
  'waiting.title': 'We’re checking what became of your payment',
  'waiting.lead': 'No money has arrived so far.',
  'waiting.next':
    'If you confirmed the payment, wait: this page shows the result as soon as it is known. If ' +
    'you didn’t, you can go on.',
  'waiting.continue': 'Go on to pay',
  'live.again': 'Check again',
  'expired.title': 'This payment link has expired',
  'expired.lead': 'No money was taken. The link was good until {expiresAt}.',
  'expired.next': 'Ask {merchant} for a new link if you still want to pay.',
  'expiredTransfer.lead': 'Do not send money. The link was good until {expiresAt}.',
  'cancelledTransfer.lead': 'Do not send money: {merchant} no longer asks for it.',
  'overTransfer.next':
    'Money that you have sent already is recognised when it arrives, and {merchant} learns of ' +
    'it. Ask {merchant} what happens next.',
  'cancelled.title': 'This payment request was cancelled',
  'cancelled.lead': 'No money was taken: {merchant} no longer asks for it.',
  'cancelled.next': 'There is nothing for you to do. Questions? Ask {merchant}.',
  'declined.title': 'You declined',
  'declined.lead': 'No money was taken. {merchant} knows that you declined.',
  'declined.next':
    'This link can’t be used again. If you declined by mistake, ask {merchant} for a new one.',
  'declinedByOther.title': 'This request was declined',
  'declinedByOther.lead': 'No money was taken.',
  'failed.title': 'The payment did not go through',
  'failed.lead': 'No money was taken.',
  'failed.next': 'This link can’t be used again. Ask {merchant} for a new one to try once more.',
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
  'facts.networkReference': 'Network reference',
  'merchant.registered': 'Registered as',
  'merchant.back': 'Back to {merchant}',
  'contact.title': 'Questions about this payment?',
  'contact.lead': 'Contact {merchant}, and give the reference above.',
  'contact.unknown':
    'Contact {merchant} in a way that you already know, not through the message that this link ' +
    'came in. Give the reference above.',
  'contact.email': 'E-mail:',
  'contact.phone': 'Phone:',
  'contact.website': 'Website:',
  'unordered.summary': 'I did not order this',
  'unordered.unpaid':
    'Then don’t pay. Without your confirmation at your institution nothing is taken. Tell ' +
    '{merchant} that you did not order this.',
  'unordered.paid':
    'Tell {merchant} that you did not order this. If money left your account without your ' +
    'consent, call your institution now, by the number on your card or in its app.',
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
  'paidElsewhere.title': 'Payé sur votre autre appareil',
  'paidElsewhere.lead': '{amount} ont été payés à {merchant}. Rien n’a été prélevé ici.',
  'paidElsewhere.next': '{merchant} en a été avisé. Votre autre appareil affiche les détails.',
  'paidByOther.title': 'Cette demande a été payée',
  'paidByOther.lead': 'Rien n’a été prélevé ici.',
  'paidByOther.next':
    'Si vous l’avez payée sur un autre appareil ou dans un autre navigateur, ce paiement compte. ' +
    'Ne la payez pas de nouveau.',
  'arrived.lead': '{merchant} a reçu {amount}.',
  'arrived.next': '{merchant} en a été avisé. Ne la payez pas de nouveau.',
  'arrivedLate.lead': '{merchant} a reçu {amount}, alors que cette demande était déjà terminée.',
  'processing.title': 'Votre paiement est en cours',
  'processing.lead':
    'Vous avez confirmé {amount} à {merchant}. Aucun argent n’est encore arrivé\u00a0: votre ' +
    'institution y travaille.',
  'processing.next':
    'Ne payez pas une deuxième fois. Cette page affichera le résultat dès qu’il sera connu' +
    '\u00a0; si elle ne change pas d’elle-même, ouvrez de nouveau le lien plus tard. {merchant} ' +
    'en sera avisé dans tous les cas.',
  'processingByOther.title': 'Cette demande est en train d’être payée',
  'processingByOther.lead':
    'Rien n’a été prélevé ici\u00a0: {amount} à {merchant} ont été confirmés sur un autre ' +
    'appareil ou dans un autre navigateur.',
  'waiting.title': 'Nous vérifions où en est votre paiement',
  'waiting.lead': 'Aucun argent n’est arrivé jusqu’à présent.',
  'waiting.next':
    'Si vous avez confirmé le paiement, attendez\u00a0: cette page affichera le résultat dès ' +
    'qu’il sera connu. Sinon, vous pouvez continuer.',
  'waiting.continue': 'Continuer vers le paiement',
  'live.again': 'Vérifier de nouveau',
  'expired.title': 'Ce lien de paiement a expiré',
  'expired.lead': 'Aucun argent n’a été prélevé. Le lien était valable jusqu’au {expiresAt}.',
  'expired.next': 'Demandez un nouveau lien à {merchant} si vous voulez toujours payer.',
  'expiredTransfer.lead': 'N’envoyez pas d’argent. Le lien était valable jusqu’au {expiresAt}.',
  'cancelledTransfer.lead': 'N’envoyez pas d’argent\u00a0: {merchant} ne le demande plus.',
  'overTransfer.next':
    'L’argent que vous auriez déjà envoyé sera reconnu à son arrivée, et {merchant} en sera ' +
    'avisé. Demandez à {merchant} quelle est la suite.',
  'cancelled.title': 'Cette demande de paiement a été annulée',
  'cancelled.lead': 'Aucun argent n’a été prélevé\u00a0: {merchant} ne le demande plus.',
  'cancelled.next': 'Vous n’avez rien à faire. Des questions\u00a0? Adressez-vous à {merchant}.',
  'declined.title': 'Vous avez refusé',
  'declined.lead': 'Aucun argent n’a été prélevé. {merchant} sait que vous avez refusé.',
  'declined.next':
    'Ce lien ne peut plus servir. Si vous avez refusé par erreur, demandez-en un nouveau à ' +
    '{merchant}.',
  'declinedByOther.title': 'Cette demande a été refusée',
  'declinedByOther.lead': 'Aucun argent n’a été prélevé.',
  'failed.title': 'Le paiement n’a pas abouti',
  'failed.lead': 'Aucun argent n’a été prélevé.',
  'failed.next':
    'Ce lien ne peut plus servir. Demandez-en un nouveau à {merchant} pour essayer encore.',
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
  'facts.networkReference': 'Référence du réseau',
  'merchant.registered': 'Nom enregistré\u00a0:',
  'merchant.back': 'Retour à {merchant}',
  'contact.title': 'Des questions sur ce paiement\u00a0?',
  'contact.lead': 'Communiquez avec {merchant} et donnez la référence ci-dessus.',
  'contact.unknown':
    'Communiquez avec {merchant} par un moyen que vous connaissez, et non par le message qui ' +
    'contenait ce lien. Donnez la référence ci-dessus.',
  'contact.email': 'Courriel\u00a0:',
  'contact.phone': 'Téléphone\u00a0:',
  'contact.website': 'Site Web\u00a0:',
  'unordered.summary': 'Je n’ai pas passé cette commande',
  'unordered.unpaid':
    'Alors ne payez pas. Rien n’est prélevé sans votre confirmation auprès de votre institution. ' +
    'Dites à {merchant} que vous n’avez pas passé cette commande.',
  'unordered.paid':
    'Dites à {merchant} que vous n’avez pas passé cette commande. Si de l’argent a quitté votre ' +
    'compte sans votre accord, appelez votre institution dès maintenant, au numéro indiqué sur ' +
    'votre carte ou dans son application.',
  'close.text': 'Vous pouvez fermer cette fenêtre.',
  'close.button': 'Fermer cette fenêtre',
  'close.print': 'Imprimer',
};

/** The texts of the pages of a payment link. */
export const PAYMENT_STATE_TEXTS: Catalogue<PaymentStateText> = { en, fr };

/** The notice on every page of a simulated network (contract §1). */
export function paymentStateNotice(language: Language): string {
  return PAYMENT_STATE_TEXTS[language]['simulated.notice'];
}
