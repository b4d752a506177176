import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

/** A question of a day: the text of a link. */
export type HomeQuestion =
  | 'cameIn'
  | 'orders'
  | 'heard'
  | 'givenBack'
  | 'openCases'
  | 'day'
  | 'keys'
  | 'askPayment'
  | 'allWell'
  | 'stuck'
  | 'cameInAll'
  | 'merchants'
  | 'casesAll'
  | 'approve'
  | 'whoDidIt';

type Key =
  | HomeQuestion
  | `${HomeQuestion}.page`
  | 'title'
  | 'label'
  | 'lead'
  | 'operators'
  | 'merchantsOfPerson';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Find a payment',
    label: 'Where is my order?',
    lead: 'Id, short code or payment link, any reference, e-mail, phone, or amount such as 249.90.',
    operators: 'For operators',
    merchantsOfPerson: 'Your merchants',
    cameIn: 'What came in today?',
    'cameIn.page': 'Overview: created, paid, failed, money and webhooks.',
    orders: 'What is open, paid or refused?',
    'orders.page': 'All payment requests, with filters and as CSV.',
    heard: 'Did the shop hear of it?',
    'heard.page': 'Webhook deliveries, and what the shop answered.',
    givenBack: 'What was given back?',
    'givenBack.page': 'Refunds and their states.',
    openCases: 'Which money waits for a decision?',
    'openCases.page': 'Cases that only a person can settle.',
    day: 'Do the books agree?',
    'day.page': 'The report of a day, with its sums.',
    keys: 'Which keys are in use?',
    'keys.page': 'User names and API keys, and their rotation.',
    askPayment: 'Ask a payer for money',
    'askPayment.page': 'A new payment request, with its link and QR code.',
    allWell: 'Is all well?',
    'allWell.page': 'Health: queues, loops, the last check, keys and version.',
    stuck: 'Who is stuck?',
    'stuck.page': 'Payment requests that make no progress.',
    cameInAll: 'What came in today?',
    'cameInAll.page': 'The overview of all merchants.',
    merchants: 'Who are the merchants?',
    'merchants.page': 'Choose a merchant, see its payments, or add one.',
    casesAll: 'Which money waits for a decision?',
    'casesAll.page': 'The cases of all merchants.',
    approve: 'What waits for a second person?',
    'approve.page': 'Approvals of acts with money.',
    whoDidIt: 'Who did what?',
    'whoDidIt.page': 'The audit log, and the proof that it is whole.',
  },
  fr: {
    title: 'Trouver un paiement',
    label: 'Où est ma commande\u00a0?',
    lead:
      'Identifiant, code court ou lien de paiement, toute référence, courriel, ' +
      'téléphone, ou montant tel que 249,90.',
    operators: 'Exploitation',
    merchantsOfPerson: 'Vos marchands',
    cameIn: 'Qu’est-il arrivé aujourd’hui\u00a0?',
    'cameIn.page': 'Aperçu\u00a0: créées, payées, refusées, argent et webhooks.',
    orders: 'Qu’est-ce qui est ouvert, payé ou refusé\u00a0?',
    'orders.page': 'Toutes les demandes de paiement, avec filtres et en CSV.',
    heard: 'La boutique l’a-t-elle appris\u00a0?',
    'heard.page': 'Les envois de webhooks et les réponses de la boutique.',
    givenBack: 'Qu’est-ce qui a été remboursé\u00a0?',
    'givenBack.page': 'Les remboursements et leur état.',
    openCases: 'Quel argent attend une décision\u00a0?',
    'openCases.page': 'Les dossiers que seule une personne peut régler.',
    day: 'Les comptes sont-ils justes\u00a0?',
    'day.page': 'Le rapport du jour, avec ses totaux.',
    keys: 'Quelles clés servent\u00a0?',
    'keys.page': 'Noms d’utilisateur, clés d’API et leur rotation.',
    askPayment: 'Demander un paiement',
    'askPayment.page': 'Une nouvelle demande, avec son lien et son code QR.',
    allWell: 'Tout va-t-il bien\u00a0?',
    'allWell.page': 'Santé\u00a0: files, boucles, dernier contrôle, clés et version.',
    stuck: 'Qui est bloqué\u00a0?',
    'stuck.page': 'Les demandes de paiement qui n’avancent pas.',
    cameInAll: 'Qu’est-il arrivé aujourd’hui\u00a0?',
    'cameInAll.page': 'L’aperçu de tous les marchands.',
    merchants: 'Qui sont les marchands\u00a0?',
    'merchants.page': 'Choisir un marchand, voir ses paiements, ou en ajouter un.',
    casesAll: 'Quel argent attend une décision\u00a0?',
    'casesAll.page': 'Les dossiers de tous les marchands.',
    approve: 'Qu’est-ce qui attend une seconde personne\u00a0?',
    'approve.page': 'Les approbations d’actes financiers.',
    whoDidIt: 'Qui a fait quoi\u00a0?',
    'whoDidIt.page': 'Le journal d’audit, et la preuve qu’il est entier.',
  },
};

export const HOME_TEXTS = compileTexts(CATALOGUE);
