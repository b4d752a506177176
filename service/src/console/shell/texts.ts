import { type Catalogue, compileTexts } from '#http/pages/texts.ts';
import type { Section } from './sections.ts';

type Key =
  | `section.${Section}`
  | 'brand'
  | 'skip'
  | 'navigation'
  | 'menu'
  | 'forOperators'
  | 'sandbox'
  | 'production'
  | 'sandboxBanner'
  | 'search'
  | 'searchHint'
  | 'signedInAs'
  | 'signOut'
  | 'language'
  | 'times'
  | 'fault.denied'
  | 'fault.deniedNext'
  | 'fault.notFound'
  | 'fault.notFoundNext'
  | 'fault.refused'
  | 'fault.outdated'
  | 'fault.outdatedNext'
  | 'fault.tooLarge'
  | 'fault.tooLargeNext'
  | 'fault.unavailable'
  | 'fault.unavailableNext'
  | 'fault.unsure'
  | 'fault.unsureNext'
  | 'fault.tooMany'
  | 'fault.back'
  | 'fault.home'
  | 'fault.requestId';

const CATALOGUE: Catalogue<Key> = {
  en: {
    brand: 'Payment requests',
    skip: 'Skip to the content',
    navigation: 'Console',
    menu: 'Menu',
    forOperators: 'Operators',
    sandbox: 'Sandbox',
    production: 'Production',
    sandboxBanner: 'Sandbox: no money moves here.',
    search: 'Search',
    searchHint: 'Id, code, reference, e-mail, phone, amount',
    signedInAs: 'Signed in as {name}',
    signOut: 'Sign out',
    language: 'English',
    times: 'Times are in the zone of your browser. Point at a time to see UTC.',
    'section.home': 'Search',
    'section.overview': 'Overview',
    'section.payment-requests': 'Payment requests',
    'section.refunds': 'Refunds',
    'section.deliveries': 'Webhook deliveries',
    'section.endpoints': 'Webhook endpoints',
    'section.events': 'Events',
    'section.cases': 'Cases',
    'section.report': 'Report of a day',
    'section.credentials': 'Credentials',
    'section.developer': 'For developers',
    'section.audit': 'Audit log',
    'section.operator.overview': 'Overview',
    'section.operator.merchants': 'Merchants',
    'section.operator.cases': 'Cases',
    'section.operator.bank-files': 'Bank files',
    'section.operator.unmatched': 'Unmatched money',
    'section.operator.report': 'Report of a day',
    'section.operator.health': 'Health',
    'section.operator.sessions': 'Sessions',
    'section.operator.audit': 'Audit log',
    'section.approvals': 'Approvals',
    'section.account': 'Your account',
    'fault.denied': 'Your role does not allow this',
    'fault.deniedNext': 'Ask an administrator if you need this for your work.',
    'fault.notFound': 'There is nothing at this address',
    'fault.notFoundNext': 'The address may be mistyped, or it may not be yours to see.',
    'fault.refused': 'This cannot be done',
    'fault.outdated': 'This form was out of date',
    'fault.outdatedNext': 'Nothing was changed. Open the page again and repeat your step.',
    'fault.tooLarge': 'This form is too large',
    'fault.tooLargeNext':
      'Nothing was changed. This form holds {kilobytes} kB and {fields} fields at most: ' +
      'choose a smaller file or a shorter text.',
    'fault.unavailable': 'The console cannot answer right now',
    'fault.unavailableNext': 'Nothing was changed. Try again in a minute.',
    'fault.unsure': 'We cannot say whether your last step counted',
    'fault.unsureNext': 'Look at the page again before you repeat the step.',
    'fault.tooMany': 'Too many calls. Wait a minute, then try again.',
    'fault.back': 'Back',
    'fault.home': 'To the first page',
    'fault.requestId': 'Request id: {id}',
  },
  fr: {
    brand: 'Demandes de paiement',
    skip: 'Aller au contenu',
    navigation: 'Console',
    menu: 'Menu',
    forOperators: 'Exploitation',
    sandbox: 'Bac à sable',
    production: 'Production',
    sandboxBanner: 'Bac à sable\u00a0: aucun argent ne circule ici.',
    search: 'Rechercher',
    searchHint: 'Code, référence, courriel, montant…',
    signedInAs: 'Session de {name}',
    signOut: 'Fermer la session',
    language: 'Français',
    times: 'Les heures sont dans le fuseau de votre navigateur. Pointez une heure pour voir l’UTC.',
    'section.home': 'Recherche',
    'section.overview': 'Aperçu',
    'section.payment-requests': 'Demandes de paiement',
    'section.refunds': 'Remboursements',
    'section.deliveries': 'Envois de webhooks',
    'section.endpoints': 'Destinations de webhooks',
    'section.events': 'Événements',
    'section.cases': 'Dossiers',
    'section.report': 'Rapport du jour',
    'section.credentials': 'Identifiants d’accès',
    'section.developer': 'Pour les développeurs',
    'section.audit': 'Journal d’audit',
    'section.operator.overview': 'Aperçu',
    'section.operator.merchants': 'Marchands',
    'section.operator.cases': 'Dossiers',
    'section.operator.bank-files': 'Fichiers bancaires',
    'section.operator.unmatched': 'Argent non rapproché',
    'section.operator.report': 'Rapport du jour',
    'section.operator.health': 'Santé',
    'section.operator.sessions': 'Sessions',
    'section.operator.audit': 'Journal d’audit',
    'section.approvals': 'Approbations',
    'section.account': 'Votre compte',
    'fault.denied': 'Votre rôle ne le permet pas',
    'fault.deniedNext': 'Adressez-vous à un administrateur si votre travail l’exige.',
    'fault.notFound': 'Il n’y a rien à cette adresse',
    'fault.notFoundNext': 'L’adresse est peut-être mal saisie, ou réservée à d’autres personnes.',
    'fault.refused': 'Cela ne peut pas être fait',
    'fault.outdated': 'Ce formulaire n’était plus à jour',
    'fault.outdatedNext': 'Rien n’a été modifié. Ouvrez de nouveau la page et répétez l’étape.',
    'fault.tooLarge': 'Ce formulaire est trop volumineux',
    'fault.tooLargeNext':
      'Rien n’a été modifié. Ce formulaire contient {kilobytes} ko et {fields} champs au ' +
      'plus\u00a0: choisissez un fichier plus petit ou un texte plus court.',
    'fault.unavailable': 'La console ne peut pas répondre en ce moment',
    'fault.unavailableNext': 'Rien n’a été modifié. Réessayez dans une minute.',
    'fault.unsure': 'Nous ne pouvons pas dire si votre dernière étape a été prise en compte',
    'fault.unsureNext': 'Vérifiez la page avant de répéter l’étape.',
    'fault.tooMany': 'Trop d’appels. Attendez une minute, puis réessayez.',
    'fault.back': 'Retour',
    'fault.home': 'Vers la première page',
    'fault.requestId': 'Identifiant de l’appel\u00a0: {id}',
  },
};

export const SHELL_TEXTS = compileTexts(CATALOGUE);
