import type { Catalogue } from '#http/pages/texts.ts';

/** Typographic apostrophes throughout: a straight one is an escape in an ICU message. */
const en = {
  brand: 'e-Transfer gateway',
  notice: 'Simulated network: no real money moves.',
  'facts.amount': 'Amount',
  'merchant.registered': 'Registered as',
  'facts.merchant': 'To',
  'facts.message': 'Message',
  'facts.invoice': 'Invoice',
  'facts.expires': 'Good until',
  'expiry.minutes': '# left to pay',
  'expiry.last': 'Less than a minute left to pay',
  'error.title': 'Error: {title}',
  'choose.title': 'Pay {amount} to {merchant}',
  'choose.legend': 'Choose your bank or credit union',
  'choose.last': 'Last time in this browser',
  'choose.popular': 'Often chosen',
  'choose.others': 'All others',
  'choose.down': 'Down for maintenance',
  'choose.search': 'Search by name',
  'choose.found': 'Institutions shown: #',
  'choose.none':
    'No institution with this name. Check the spelling, or empty the search to see all. If yours ' +
    'is not among them, ask {merchant} how else you can pay.',
  'choose.continue': 'Continue',
  'choose.continueTo': 'Continue to #',
  'choose.leave': 'Go back without paying',
  'choose.missing': 'Choose an institution first.',
  'choose.unavailable': '{institution} is down for maintenance. Choose another one, or come back.',
  'phone.title': 'Rather pay on your phone?',
  'phone.text': 'Point its camera at this code. This page follows along.',
  'phone.alt': 'QR code of this payment link',
  'leaving.title': 'You’re going to {institution}',
  'leaving.lead': 'To pay {amount} to {merchant}, sign in there and confirm the payment.',
  'leaving.safe': 'We never see your password or your balance.',
  'leaving.continue': 'Go to {institution}',
  'leaving.back': 'Choose another institution',
  'sign-in.title': 'Sign in to {institution}',
  'sign-in.lead': 'To pay {amount} to {merchant}.',
  'sign-in.username': 'Username',
  'sign-in.password': 'Password',
  'sign-in.submit': 'Sign in',
  'sign-in.failed':
    'The username or the password is not right. ' +
    '{left, plural, one {# try is left} other {# tries are left}}.',
  'sign-in.back': 'Choose another institution',
  'simulation.title': 'This is a simulation',
  'simulation.text':
    'Sign in as one of these test users. Each makes another outcome happen. The password is ' +
    '<code>{password}</code>.',
  'simulation.use': 'Sign in as {username}',
  'simulation.approve': 'pays at once',
  'simulation.slow': 'pays, but the money takes 20 seconds',
  'simulation.funds': 'does not have enough money',
  'simulation.limit': 'has a limit below the amount',
  'simulation.timeout': 'confirms, but the institution does not answer',
  'simulation.returned': 'pays, and the bank takes the money back after 20 seconds',
  'simulation.wrong': 'never has the right password',
  'confirm.title': 'Confirm your payment',
  'confirm.lead': 'You’re signed in to {institution} as {username}.',
  'confirm.pay': 'Pay {amount}',
  'confirm.decline': 'Decline',
  'confirm.note': 'The money is taken from your account as soon as you press “Pay {amount}”.',
  'confirm.back': 'Choose another institution',
  'asking.title': 'Waiting for {institution}',
  'asking.otherTitle': 'A payment is being confirmed',
  'asking.lead': 'Nothing has been taken so far: the institution has not answered yet.',
  'asking.next': 'Don’t pay again. This page goes on as soon as there is an answer.',
  'asking.again': 'Check again',
  'refused.title': '{institution} did not make the payment',
  'refused.lead': 'Nothing was taken.',
  'refused.INSUFFICIENT_FUNDS': 'There is not enough money in the account.',
  'refused.AMOUNT_LIMIT_EXCEEDED': 'The amount is above a limit of yours or of your institution.',
  'refused.INSTITUTION_UNAVAILABLE': '{institution} did not answer in time.',
  'refused.AUTHENTICATION_FAILED': 'Too many sign-ins failed.',
  'refused.next':
    'You can still pay: choose another institution, or put it right with this one and choose it ' +
    'again. You have {left, plural, one {# more try} other {# more tries}}. {merchant} has not ' +
    'been told.',
  'refused.another': 'Choose another institution',
  'refused.stop': 'Stop and tell {merchant}',
  'news.ended': 'Your sign-in has ended. Nothing was paid.',
  'news.changed':
    'You have chosen another institution since then. Nothing was paid at the one before.',
} as const;

export type GatewayText = keyof typeof en;

const fr: Record<GatewayText, string> = {
  brand: 'Passerelle de virement',
  notice: 'Réseau simulé\u00a0: aucun argent réel n’est transféré.',
  'facts.amount': 'Montant',
  'merchant.registered': 'Nom enregistré\u00a0:',
  'facts.merchant': 'À',
  'facts.message': 'Message',
  'facts.invoice': 'Facture',
  'facts.expires': 'Valable jusqu’au',
  'expiry.minutes': 'Il reste # pour payer',
  'expiry.last': 'Il reste moins d’une minute pour payer',
  'error.title': 'Erreur\u00a0: {title}',
  'choose.title': 'Payer {amount} à {merchant}',
  'choose.legend': 'Choisissez votre banque ou votre caisse',
  'choose.last': 'La dernière fois dans ce navigateur',
  'choose.popular': 'Souvent choisies',
  'choose.others': 'Toutes les autres',
  'choose.down': 'En maintenance',
  'choose.search': 'Chercher par nom',
  'choose.found': 'Institutions affichées\u00a0: #',
  'choose.none':
    'Aucune institution de ce nom. Vérifiez l’orthographe, ou videz la recherche pour les voir ' +
    'toutes. Si la vôtre n’y est pas, demandez à {merchant} comment payer autrement.',
  'choose.continue': 'Continuer',
  'choose.continueTo': 'Continuer vers #',
  'choose.leave': 'Revenir sans payer',
  'choose.missing': 'Choisissez d’abord une institution.',
  'choose.unavailable':
    '{institution} est en maintenance. Choisissez-en une autre, ou revenez plus tard.',
  'phone.title': 'Vous préférez payer sur votre téléphone\u00a0?',
  'phone.text': 'Visez ce code avec l’appareil photo. Cette page suivra.',
  'phone.alt': 'Code QR de ce lien de paiement',
  'leaving.title': 'Vous allez chez {institution}',
  'leaving.lead':
    'Pour payer {amount} à {merchant}, connectez-vous à votre institution et confirmez-y le ' +
    'paiement.',
  'leaving.safe': 'Nous ne voyons jamais votre mot de passe ni votre solde.',
  'leaving.continue': 'Aller chez {institution}',
  'leaving.back': 'Choisir une autre institution',
  'sign-in.title': 'Connexion à {institution}',
  'sign-in.lead': 'Pour payer {amount} à {merchant}.',
  'sign-in.username': 'Nom d’utilisateur',
  'sign-in.password': 'Mot de passe',
  'sign-in.submit': 'Se connecter',
  'sign-in.failed':
    'Le nom d’utilisateur ou le mot de passe est inexact. ' +
    'Il reste {left, plural, one {# essai} other {# essais}}.',
  'sign-in.back': 'Choisir une autre institution',
  'simulation.title': 'Ceci est une simulation',
  'simulation.text':
    'Connectez-vous comme l’une de ces personnes d’essai. Chacune produit un autre résultat. Le ' +
    'mot de passe est <code>{password}</code>.',
  'simulation.use': 'Se connecter comme {username}',
  'simulation.approve': 'paie tout de suite',
  'simulation.slow': 'paie, mais l’argent prend 20 secondes',
  'simulation.funds': 'n’a pas assez d’argent',
  'simulation.limit': 'a une limite inférieure au montant',
  'simulation.timeout': 'confirme, mais l’institution ne répond pas',
  'simulation.returned': 'paie, et la banque reprend l’argent après 20 secondes',
  'simulation.wrong': 'n’a jamais le bon mot de passe',
  'confirm.title': 'Confirmez votre paiement',
  'confirm.lead': 'Votre session chez {institution} est ouverte au nom de {username}.',
  'confirm.pay': 'Payer {amount}',
  'confirm.decline': 'Refuser',
  'confirm.note':
    'L’argent est prélevé de votre compte dès que vous appuyez sur «\u00a0Payer {amount}\u00a0».',
  'confirm.back': 'Choisir une autre institution',
  'asking.title': 'En attente de {institution}',
  'asking.otherTitle': 'Un paiement est en cours de confirmation',
  'asking.lead':
    'Rien n’a été prélevé jusqu’à présent\u00a0: l’institution n’a pas encore répondu.',
  'asking.next': 'Ne payez pas de nouveau. Cette page continuera dès qu’il y aura une réponse.',
  'asking.again': 'Vérifier de nouveau',
  'refused.title': '{institution} n’a pas effectué le paiement',
  'refused.lead': 'Rien n’a été prélevé.',
  'refused.INSUFFICIENT_FUNDS': 'Le compte ne contient pas assez d’argent.',
  'refused.AMOUNT_LIMIT_EXCEEDED':
    'Le montant dépasse l’une de vos limites ou celle de votre institution.',
  'refused.INSTITUTION_UNAVAILABLE': '{institution} n’a pas répondu à temps.',
  'refused.AUTHENTICATION_FAILED': 'Trop de connexions ont échoué.',
  'refused.next':
    'Vous pouvez encore payer\u00a0: choisissez une autre institution, ou réglez le problème ' +
    'avec celle-ci et choisissez-la de nouveau. Il vous reste ' +
    '{left, plural, one {# essai} other {# essais}}. {merchant} n’en a pas été avisé.',
  'refused.another': 'Choisir une autre institution',
  'refused.stop': 'Arrêter et aviser {merchant}',
  'news.ended': 'Votre session a pris fin. Rien n’a été payé.',
  'news.changed':
    'Vous avez choisi une autre institution depuis. Rien n’a été payé auprès de la précédente.',
};

/** The texts of the gateway and of its institutions. */
export const GATEWAY_TEXTS: Catalogue<GatewayText> = { en, fr };
