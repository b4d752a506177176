import { optionWords } from '#console/components/status-words.ts';
import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

const en = {
  title: 'Webhook endpoints',
  add: 'Add an endpoint',
  empty: 'There is no webhook endpoint yet.',
  emptyNext: 'An administrator adds the URL of your listener, so that your shop hears of payments.',
  usualTypes: 'The usual types',
  allTypes: 'All types',
  'filter.status': 'Status',
  'filter.url': 'Part of the URL',
  ...optionWords('en', 'endpoint'),
  'column.url': 'URL',
  'column.status': 'Status',
  'column.eventTypes': 'Event types',
  'column.description': 'Description',
  'column.created': 'Created',
  'column.username': 'Username',
  'column.overlap': 'Secret before it signs until',
  'column.id': 'Id',
} as const;

const fr: Readonly<Record<keyof typeof en, string>> = {
  title: 'Destinations de webhooks',
  add: 'Ajouter une destination',
  empty: 'Il n’y a pas encore de destination de webhooks.',
  emptyNext:
    'Un administrateur ajoute l’URL de votre serveur, pour que votre boutique apprenne les ' +
    'paiements.',
  usualTypes: 'Les types habituels',
  allTypes: 'Tous les types',
  'filter.status': 'État',
  'filter.url': 'Partie de l’URL',
  ...optionWords('fr', 'endpoint'),
  'column.url': 'URL',
  'column.status': 'État',
  'column.eventTypes': 'Types d’événements',
  'column.description': 'Description',
  'column.created': 'Création',
  'column.username': 'Nom d’utilisateur',
  'column.overlap': 'Ancien secret valable jusqu’au',
  'column.id': 'Identifiant',
};

const CATALOGUE: Catalogue<keyof typeof en> = { en, fr };

export const ENDPOINT_LIST_TEXTS = compileTexts(CATALOGUE);
