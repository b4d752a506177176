import type { Catalogue } from '#http/pages/texts.ts';

/** Typographic apostrophes throughout: a straight one is an escape in an ICU message. */
const en = {
  brand: 'Bank transfer',
  notice: 'Simulation: the account is made up and no real money moves.',
  'merchant.registered': 'Registered as',
  'merchant.back': 'Back to {merchant}',
  'ask.title': 'Transfer {amount} to {merchant}',
  'ask.lead': 'Pay from your own bank account, with your bank’s app or website.',
  'rest.title': 'Transfer the other {owed} to {merchant}',
  received: 'Received {received} of {amount}',
  'received.rest': 'Please transfer the missing {owed} with the same reference.',
  'qr.title': 'Scan with your banking app',
  'qr.text': 'The code fills in the whole transfer. Check the name and the amount before you send.',
  'qr.alt': 'QR code with the account, the amount and the reference of this transfer',
  'qr.save': 'Save the QR image',
  'qr.saved': 'Many banking apps can open a saved QR image.',
  'fields.title': 'The details of your transfer',
  'field.holder': 'Account holder',
  'field.iban': 'IBAN',
  'field.bic': 'BIC',
  'field.amount': 'Amount',
  'field.reference': 'Reference',
  copy: 'Copy',
  'copy.holder': 'Copy the account holder',
  'copy.iban': 'Copy the IBAN',
  'copy.bic': 'Copy the BIC',
  'copy.amount': 'Copy the amount',
  'copy.reference': 'Copy the reference',
  'copy.done': 'Copied: #',
  'copy.marked': 'Marked, ready for you to copy: #',
  'rule.reference':
    '<strong>Enter the reference exactly as it is shown.</strong> It is how your payment is found.',
  'rule.time':
    'An instant transfer arrives within minutes, an ordinary one takes one to three working days.',
  'facts.message': 'Message',
  'facts.invoice': 'Invoice',
  'facts.expires': 'Pay by',
  'expiry.minutes': '# left to pay',
  'expiry.last': 'Less than a minute left to pay',
  'sent.button': 'I have sent it',
  'sent.text': 'Press it once your bank has taken the order. This page then shows the arrival.',
  'wait.title': 'Waiting for {owed} to arrive',
  'wait.lead': 'The transfer to {merchant} was marked as sent. Please don’t send it again.',
  'wait.announced':
    'Announced by your bank: the money for {merchant} is on its way. Please don’t send it again.',
  'wait.next':
    'You can close this window: the money is recognised by its reference, and your payment link ' +
    'shows when it has arrived.',
  'wait.details': 'Show the details of the transfer again',
  'live.again': 'Check again',
  'check.title': '{received} has arrived',
  'check.lead':
    'Do not send more money. {merchant} asked for {amount}, and the payment is being checked.',
  'check.next': 'Your payment link shows the result. Questions? Ask {merchant}.',
  'expired.title': 'This payment request has expired',
  'expired.lead': 'Do not send money. It could be paid until {expiresAt}.',
  'cancelled.title': 'This payment request was cancelled',
  'cancelled.lead': 'Do not send money: {merchant} no longer asks for it.',
  'closed.title': 'The account for this payment was closed',
  'closed.lead': 'Do not send money: the account does not take it any more.',
  'closed.sent':
    'Ask {merchant} for another way to pay. A bank returns money that was sent to a closed ' +
    'account, usually within days.',
  'over.sent':
    'Money that you have sent already is not lost: it is recognised when it arrives, and ' +
    '{merchant} learns of it. Ask {merchant} what happens next.',
  'over.part':
    'Received {received} of {amount}. {merchant} knows of it: ask them what happens with the ' +
    'money.',
} as const;

export type TransferText = keyof typeof en;

const fr: Record<TransferText, string> = {
  brand: 'Virement bancaire',
  notice: 'Simulation\u00a0: le compte est fictif et aucun argent réel n’est transféré.',
  'merchant.registered': 'Nom enregistré\u00a0:',
  'merchant.back': 'Retour à {merchant}',
  'ask.title': 'Virez {amount} à {merchant}',
  'ask.lead':
    'Payez à partir de votre propre compte, avec l’application ou le site de votre banque.',
  'rest.title': 'Virez les {owed} qui restent à {merchant}',
  received: 'Reçu {received} sur {amount}',
  'received.rest': 'Veuillez virer les {owed} qui manquent, avec la même référence.',
  'qr.title': 'Numérisez avec votre application bancaire',
  'qr.text': 'Le code remplit tout le virement. Vérifiez le nom et le montant avant de l’envoyer.',
  'qr.alt': 'Code QR avec le compte, le montant et la référence de ce virement',
  'qr.save': 'Enregistrer l’image QR',
  'qr.saved': 'Beaucoup d’applications bancaires peuvent ouvrir une image QR enregistrée.',
  'fields.title': 'Les coordonnées du virement',
  'field.holder': 'Titulaire du compte',
  'field.iban': 'IBAN',
  'field.bic': 'BIC',
  'field.amount': 'Montant',
  'field.reference': 'Référence',
  copy: 'Copier',
  'copy.holder': 'Copier le titulaire du compte',
  'copy.iban': 'Copier l’IBAN',
  'copy.bic': 'Copier le BIC',
  'copy.amount': 'Copier le montant',
  'copy.reference': 'Copier la référence',
  'copy.done': 'Copié\u00a0: #',
  'copy.marked': 'Sélectionné, prêt à être copié\u00a0: #',
  'rule.reference':
    '<strong>Saisissez la référence exactement comme elle est affichée.</strong> C’est elle qui ' +
    'permet de reconnaître votre paiement.',
  'rule.time':
    'Un virement instantané arrive en quelques minutes, un virement ordinaire prend d’un à trois ' +
    'jours ouvrables.',
  'facts.message': 'Message',
  'facts.invoice': 'Facture',
  'facts.expires': 'À payer avant le',
  'expiry.minutes': 'Il reste # pour payer',
  'expiry.last': 'Il reste moins d’une minute pour payer',
  'sent.button': 'J’ai envoyé le virement',
  'sent.text':
    'Appuyez dès que votre banque a pris l’ordre. Cette page affichera ensuite l’arrivée.',
  'wait.title': 'En attente de {owed}',
  'wait.lead':
    'Le virement à {merchant} a été marqué comme envoyé. Veuillez ne pas l’envoyer de nouveau.',
  'wait.announced':
    'Annoncé par votre banque\u00a0: l’argent pour {merchant} est en route. Veuillez ne pas ' +
    'l’envoyer de nouveau.',
  'wait.next':
    'Vous pouvez fermer cette fenêtre\u00a0: l’argent est reconnu à sa référence, et votre lien ' +
    'de paiement indiquera son arrivée.',
  'wait.details': 'Afficher de nouveau les coordonnées du virement',
  'live.again': 'Vérifier de nouveau',
  'check.title': '{received} sont arrivés',
  'check.lead':
    'N’envoyez pas plus d’argent. {merchant} a demandé {amount}, et le paiement est en cours de ' +
    'vérification.',
  'check.next':
    'Votre lien de paiement indiquera le résultat. Des questions\u00a0? Adressez-vous à ' +
    '{merchant}.',
  'expired.title': 'Cette demande de paiement a expiré',
  'expired.lead': 'N’envoyez pas d’argent. Elle pouvait être payée jusqu’au {expiresAt}.',
  'cancelled.title': 'Cette demande de paiement a été annulée',
  'cancelled.lead': 'N’envoyez pas d’argent\u00a0: {merchant} ne le demande plus.',
  'closed.title': 'Le compte prévu pour ce paiement a été fermé',
  'closed.lead': 'N’envoyez pas d’argent\u00a0: ce compte n’en reçoit plus.',
  'closed.sent':
    'Demandez à {merchant} un autre moyen de payer. Une banque retourne l’argent envoyé à un ' +
    'compte fermé, en général en quelques jours.',
  'over.sent':
    'L’argent que vous auriez déjà envoyé n’est pas perdu\u00a0: il sera reconnu à son arrivée, ' +
    'et {merchant} en sera avisé. Demandez à {merchant} quelle est la suite.',
  'over.part':
    'Reçu {received} sur {amount}. {merchant} le sait\u00a0: demandez-lui ce qu’il advient de ' +
    'l’argent.',
};

/** The texts of the pages of a bank transfer. */
export const TRANSFER_TEXTS: Catalogue<TransferText> = { en, fr };
