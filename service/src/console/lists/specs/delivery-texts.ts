import { optionWords } from '#console/components/status-words.ts';
import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

const en = {
  title: 'Webhook deliveries',
  empty: 'No event has been sent yet.',
  emptyNext: 'Register a webhook endpoint, and send a test to it.',
  endpoints: 'Webhook endpoints',
  test: 'Test',
  'filter.status': 'Status',
  'filter.paymentRequestId': 'Payment request',
  'filter.endpointId': 'Endpoint',
  ...optionWords('en', 'delivery'),
  'column.created': 'Created',
  'column.eventType': 'Event',
  'column.status': 'Status',
  'column.url': 'URL',
  'column.attempts': 'Attempts',
  'column.next': 'Next attempt',
  'column.completed': 'Completed',
  'column.paymentRequest': 'Payment request',
  'column.endpoint': 'Endpoint',
  'column.id': 'Id',
} as const;

const fr: Readonly<Record<keyof typeof en, string>> = {
  title: 'Envois de webhooks',
  empty: 'Aucun événement n’a encore été envoyé.',
  emptyNext: 'Enregistrez une destination de webhooks, et envoyez-lui un événement d’essai.',
  endpoints: 'Destinations de webhooks',
  test: 'Essai',
  'filter.status': 'État',
  'filter.paymentRequestId': 'Demande de paiement',
  'filter.endpointId': 'Destination',
  ...optionWords('fr', 'delivery'),
  'column.created': 'Création',
  'column.eventType': 'Événement',
  'column.status': 'État',
  'column.url': 'URL',
  'column.attempts': 'Tentatives',
  'column.next': 'Prochaine tentative',
  'column.completed': 'Fin',
  'column.paymentRequest': 'Demande de paiement',
  'column.endpoint': 'Destination',
  'column.id': 'Identifiant',
};

const CATALOGUE: Catalogue<keyof typeof en> = { en, fr };

export const DELIVERY_TEXTS = compileTexts(CATALOGUE);
