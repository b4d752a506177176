import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

type Key =
  | 'title'
  | 'search'
  | 'searchHint'
  | 'apply'
  | 'name'
  | 'id'
  | 'status'
  | 'created'
  | 'ACTIVE'
  | 'SUSPENDED'
  | 'none'
  | 'noneFound'
  | 'first'
  | 'next'
  | 'pages'
  | 'onboard'
  | 'onboardTitle'
  | 'onboardLead'
  | 'onboardButton'
  | 'webhookUrl'
  | 'webhookUrlHint'
  | 'origins.return'
  | 'origins.webhook'
  | 'originsHint'
  | 'unique'
  | 'displayName'
  | 'supportEmail'
  | 'supportPhone'
  | 'website'
  | 'accentColour'
  | 'logo'
  | 'logoHint'
  | 'logoRemove'
  | 'profile'
  | 'profileHint'
  | 'onboarded'
  | 'onboardedNext'
  | 'openMerchant'
  | 'suspend'
  | 'suspendTitle'
  | 'suspendNext'
  | 'suspendConfirm'
  | 'resume'
  | 'suspended'
  | 'resumed'
  | 'limits'
  | 'refundsPerDay'
  | 'refundsPerDayHint'
  | 'refundsOff'
  | 'save'
  | 'change'
  | 'notices'
  | 'noticesHint'
  | 'account'
  | 'accountHint'
  | 'holder'
  | 'iban'
  | 'bic'
  | 'street'
  | 'postalCode'
  | 'town'
  | 'country'
  | 'accountNone'
  | 'accountVersion'
  | 'accountSince'
  | 'accountOpen'
  | 'accountClosed'
  | 'accountReplaced'
  | 'accountClose'
  | 'accountSave'
  | 'amountFault'
  | 'back'
  | 'pagesOf'
  | 'payments'
  | 'overview'
  | 'deliveries'
  | 'audit'
  | 'credentials'
  | 'values';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Merchants',
    search: 'Search',
    searchHint: 'A part of the name, or an id',
    apply: 'Search',
    name: 'Name',
    id: 'Id',
    status: 'Status',
    created: 'Since',
    ACTIVE: 'Active',
    SUSPENDED: 'Suspended',
    none: 'There is no merchant yet. Onboard the first one.',
    noneFound: 'No merchant matches. Search for a shorter part of the name.',
    first: 'First page',
    next: 'Next page',
    pages: 'Pages of merchants',
    onboard: 'Onboard a merchant',
    onboardTitle: 'Onboard a merchant',
    onboardLead:
      'This registers the merchant and makes its first credentials, which are shown once.',
    onboardButton: 'Onboard and show the credentials',
    webhookUrl: 'Webhook URL',
    webhookUrlHint: 'https, for all events of the merchant. It can be set later.',
    'origins.return': 'Origins of return URLs',
    'origins.webhook': 'Origins of webhook URLs',
    originsHint: 'One a line, as in https://shop.example',
    unique: 'Refuse a merchantTransactionId that was used before',
    displayName: 'Display name',
    supportEmail: 'Support e-mail',
    supportPhone: 'Support phone',
    website: 'Website',
    accentColour: 'Accent colour',
    logo: 'Logo',
    logoHint: 'A PNG of at most 32 kB and 512 × 512 pixels.',
    logoRemove: 'Remove the logo',
    profile: 'Profile on payers’ pages',
    profileHint: 'Payers trust what they see here: check that it is the merchant’s own.',
    onboarded: '{name} is registered',
    onboardedNext: 'Hand these values to the merchant over a safe channel.',
    openMerchant: 'Open the merchant',
    suspend: 'Suspend',
    suspendTitle: 'Suspend {name}?',
    suspendNext:
      'Its calls are refused and its tokens end within 5 seconds. Payments that payers have ' +
      'confirmed still end, and their webhooks are delivered.',
    suspendConfirm: 'Yes, suspend',
    resume: 'Resume',
    suspended: 'The merchant is suspended.',
    resumed: 'The merchant is active again. Its earlier tokens stay ended.',
    limits: 'Limits',
    refundsPerDay: 'Refunds in a day',
    refundsPerDayHint: 'The highest sum in {currency}; 0: refunds are off.',
    refundsOff: 'Refunds are off',
    save: 'Save',
    change: 'Change',
    notices: 'Notices',
    noticesHint: 'The merchant’s e-mail for returned money; empty: none.',
    account: 'Account for transfers',
    accountHint:
      'Payers transfer money there. Open payment requests keep the account that they show. ' +
      'Check that the account is the merchant’s own.',
    holder: 'Holder',
    iban: 'IBAN',
    bic: 'BIC',
    street: 'Street',
    postalCode: 'Postal code',
    town: 'Town',
    country: 'Country (two letters)',
    accountNone: 'The merchant has no account yet: payers cannot transfer money.',
    accountVersion: 'Version',
    accountSince: 'Since',
    accountOpen: 'Current',
    accountClosed: 'Closed',
    accountReplaced: 'Former',
    accountClose: 'The bank has closed it',
    accountSave: 'Set the account',
    amountFault: 'Give an amount, as in 10000.00, or 0.',
    back: 'Back to the merchants',
    pagesOf: 'Pages of this merchant',
    payments: 'Payment requests',
    overview: 'Overview',
    deliveries: 'Webhook deliveries',
    audit: 'Audit log',
    credentials: 'Credentials',
    values: 'First credentials',
  },
  fr: {
    title: 'Marchands',
    search: 'Recherche',
    searchHint: 'Une partie du nom, ou un identifiant',
    apply: 'Rechercher',
    name: 'Nom',
    id: 'Identifiant',
    status: 'État',
    created: 'Depuis',
    ACTIVE: 'Actif',
    SUSPENDED: 'Suspendu',
    none: 'Il n’y a pas encore de marchand. Inscrivez le premier.',
    noneFound: 'Aucun marchand ne correspond. Cherchez une partie plus courte du nom.',
    first: 'Première page',
    next: 'Page suivante',
    pages: 'Pages des marchands',
    onboard: 'Inscrire un marchand',
    onboardTitle: 'Inscrire un marchand',
    onboardLead:
      'Le marchand est inscrit et reçoit ses premiers identifiants, qui ne sont affichés ' +
      'qu’une fois.',
    onboardButton: 'Inscrire et afficher les identifiants',
    webhookUrl: 'URL de webhook',
    webhookUrlHint:
      'En https, pour tous les événements du marchand. Elle peut être définie plus tard.',
    'origins.return': 'Origines des URL de retour',
    'origins.webhook': 'Origines des URL de webhook',
    originsHint: 'Une par ligne, par exemple https://shop.example',
    unique: 'Refuser un merchantTransactionId déjà utilisé',
    displayName: 'Nom affiché',
    supportEmail: 'Courriel d’assistance',
    supportPhone: 'Téléphone d’assistance',
    website: 'Site web',
    accentColour: 'Couleur d’accent',
    logo: 'Logo',
    logoHint: 'Un PNG d’au plus 32 ko et 512\u00a0×\u00a0512 pixels.',
    logoRemove: 'Retirer le logo',
    profile: 'Profil sur les pages des payeurs',
    profileHint:
      'Les payeurs s’y fient\u00a0: vérifiez que ces valeurs sont bien celles du marchand.',
    onboarded: '{name} est inscrit',
    onboardedNext: 'Remettez ces valeurs au marchand par un moyen sûr.',
    openMerchant: 'Ouvrir le marchand',
    suspend: 'Suspendre',
    suspendTitle: 'Suspendre {name}\u00a0?',
    suspendNext:
      'Ses appels sont refusés et ses jetons se terminent en 5 secondes. Les paiements ' +
      'confirmés se terminent encore, et leurs webhooks sont envoyés.',
    suspendConfirm: 'Oui, suspendre',
    resume: 'Rétablir',
    suspended: 'Le marchand est suspendu.',
    resumed: 'Le marchand est de nouveau actif. Ses anciens jetons restent terminés.',
    limits: 'Limites',
    refundsPerDay: 'Remboursements par jour',
    refundsPerDayHint: 'La somme la plus haute en {currency}\u00a0; 0\u00a0: aucun remboursement.',
    refundsOff: 'Aucun remboursement',
    save: 'Enregistrer',
    change: 'Modifier',
    notices: 'Avis',
    noticesHint: 'Le courriel du marchand pour l’argent retourné\u00a0; vide\u00a0: aucun.',
    account: 'Compte pour les virements',
    accountHint:
      'Les payeurs y virent l’argent. Les demandes ouvertes gardent le compte qu’elles ' +
      'montrent. Vérifiez que le compte est bien celui du marchand.',
    holder: 'Titulaire',
    iban: 'IBAN',
    bic: 'BIC',
    street: 'Rue',
    postalCode: 'Code postal',
    town: 'Ville',
    country: 'Pays (deux lettres)',
    accountNone: 'Le marchand n’a pas encore de compte\u00a0: aucun virement n’est possible.',
    accountVersion: 'Version',
    accountSince: 'Depuis',
    accountOpen: 'Actuel',
    accountClosed: 'Fermé',
    accountReplaced: 'Ancien',
    accountClose: 'La banque l’a fermé',
    accountSave: 'Définir le compte',
    amountFault: 'Indiquez un montant, par exemple 10000,00, ou 0.',
    back: 'Retour aux marchands',
    pagesOf: 'Pages de ce marchand',
    payments: 'Demandes de paiement',
    overview: 'Aperçu',
    deliveries: 'Envois de webhooks',
    audit: 'Journal d’audit',
    credentials: 'Identifiants d’accès',
    values: 'Premiers identifiants',
  },
};

export const OPERATOR_TEXTS = compileTexts(CATALOGUE);
