import { optionWords } from '#console/components/status-words.ts';
import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

const en = {
  title: 'Refunds',
  empty: 'There are no refunds yet.',
  emptyNext: 'Open a paid payment request to give money back.',
  'filter.status': 'Status',
  'filter.merchantRefundId': 'Your reference of the refund',
  ...optionWords('en', 'refund'),
  'column.created': 'Created',
  'column.amount': 'Amount',
  'column.status': 'Status',
  'column.reason': 'Reason',
  'column.merchantRefundId': 'Your reference',
  'column.completed': 'Completed',
  'column.statusReason': 'Why it failed',
  'column.networkReference': 'Network reference',
  'column.paymentRequest': 'Payment request',
  'column.id': 'Id',
} as const;

const fr: Readonly<Record<keyof typeof en, string>> = {
  title: 'Remboursements',
  empty: 'Il n’y a pas encore de remboursement.',
  emptyNext: 'Ouvrez une demande de paiement payée pour rendre de l’argent.',
  'filter.status': 'État',
  'filter.merchantRefundId': 'Votre référence du remboursement',
  ...optionWords('fr', 'refund'),
  'column.created': 'Création',
  'column.amount': 'Montant',
  'column.status': 'État',
  'column.reason': 'Raison',
  'column.merchantRefundId': 'Votre référence',
  'column.completed': 'Exécution',
  'column.statusReason': 'Cause de l’échec',
  'column.networkReference': 'Référence du réseau',
  'column.paymentRequest': 'Demande de paiement',
  'column.id': 'Identifiant',
};

const CATALOGUE: Catalogue<keyof typeof en> = { en, fr };

export const REFUND_TEXTS = compileTexts(CATALOGUE);
