import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

type Key =
  | 'title'
  | 'titleAll'
  | 'lead'
  | 'today'
  | 'created'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'unpaid'
  | 'moneyIn'
  | 'moneyBack'
  | 'median'
  | 'medianHint'
  | 'webhooks'
  | 'owed'
  | 'oldestOwed'
  | 'givenUp'
  | 'failing'
  | 'paused'
  | 'more'
  | 'journey'
  | 'journeyLead'
  | 'journeyEmpty'
  | 'step'
  | 'number'
  | 'ofCreated'
  | 'ofBefore'
  | 'step.created'
  | 'step.opened'
  | 'step.institution_chosen'
  | 'step.signed_in'
  | 'step.confirmed'
  | 'step.completed'
  | 'spans'
  | 'span.24h'
  | 'span.7d'
  | 'span.30d'
  | 'history.24h'
  | 'history.7d'
  | 'history.30d'
  | 'chart'
  | 'chartFacts'
  | 'hour'
  | 'day'
  | 'all'
  | 'empty'
  | 'emptyNext'
  | 'counting'
  | 'pause'
  | 'resume'
  | 'worst'
  | 'worstLead'
  | 'worstEmpty'
  | 'merchant'
  | 'deliveries';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Overview',
    titleAll: 'Overview of all merchants',
    lead: 'Days and hours of {zone}. The figures follow what happens within seconds.',
    today: 'Today',
    created: 'Created',
    paid: 'Paid',
    failed: 'Failed',
    expired: 'Expired',
    cancelled: 'Cancelled',
    unpaid: 'Failed, expired or cancelled',
    moneyIn: 'Money in',
    moneyBack: 'Money back',
    median: 'Median time to pay',
    medianHint: 'Within {percent} %, from creation to payment',
    webhooks: 'Webhooks',
    owed: 'Deliveries still owed',
    oldestOwed: 'Oldest still owed',
    givenUp: 'Given up in {days} days',
    failing: 'Failing endpoints',
    paused: 'Paused endpoints',
    more: '{number} or more',
    journey: 'Journey of payers',
    journeyLead: 'Payment requests created in this time, by the steps that their payers reached.',
    journeyEmpty: 'No payment request was created in this time.',
    step: 'Step',
    number: 'Number',
    ofCreated: 'Of all created',
    ofBefore: 'Of the step before',
    'step.created': 'Created',
    'step.opened': 'Link opened',
    'step.institution_chosen': 'Bank chosen',
    'step.signed_in': 'Signed in',
    'step.confirmed': 'Confirmed',
    'step.completed': 'Paid',
    spans: 'Time shown',
    'span.24h': '24 hours',
    'span.7d': '7 days',
    'span.30d': '30 days',
    'history.24h': 'The last 24 hours',
    'history.7d': 'The last 7 days',
    'history.30d': 'The last 30 days',
    chart: '{title} as a chart',
    chartFacts:
      'A line chart: {created} created, {paid} paid, {unpaid} failed, expired or cancelled. ' +
      'The table has the same numbers.',
    hour: 'Hour',
    day: 'Day',
    all: 'Total',
    empty: 'Nothing happened in this time.',
    emptyNext: 'Read how a shop creates payment requests',
    counting:
      'Payments from before the last upgrade are still being counted, the newest first. ' +
      'Until then the figures of earlier days are too low.',
    pause: 'Pause live figures',
    resume: 'Show live figures',
    worst: 'Longest without webhooks',
    worstLead: 'Merchants whose listeners have not taken a delivery for the longest time.',
    worstEmpty: 'No delivery is owed to any merchant.',
    merchant: 'Merchant',
    deliveries: 'Deliveries of {merchant}',
  },
  fr: {
    title: 'Aperçu',
    titleAll: 'Aperçu de tous les marchands',
    lead: 'Jours et heures de {zone}. Les chiffres suivent les événements en quelques secondes.',
    today: 'Aujourd’hui',
    created: 'Créées',
    paid: 'Payées',
    failed: 'Échouées',
    expired: 'Expirées',
    cancelled: 'Annulées',
    unpaid: 'Échouées, expirées ou annulées',
    moneyIn: 'Argent reçu',
    moneyBack: 'Argent rendu',
    median: 'Délai de paiement médian',
    medianHint: 'À {percent}\u00a0% près, de la création au paiement',
    webhooks: 'Webhooks',
    owed: 'Envois encore dus',
    oldestOwed: 'Le plus ancien envoi dû',
    givenUp: 'Abandonnés en {days} jours',
    failing: 'Destinations en panne',
    paused: 'Destinations en pause',
    more: '{number} ou plus',
    journey: 'Parcours des payeurs',
    journeyLead:
      'Demandes de paiement créées dans cette période, selon les étapes que leurs payeurs ont ' +
      'atteintes.',
    journeyEmpty: 'Aucune demande de paiement n’a été créée dans cette période.',
    step: 'Étape',
    number: 'Nombre',
    ofCreated: 'Des demandes créées',
    ofBefore: 'De l’étape précédente',
    'step.created': 'Créée',
    'step.opened': 'Lien ouvert',
    'step.institution_chosen': 'Banque choisie',
    'step.signed_in': 'Connecté',
    'step.confirmed': 'Confirmé',
    'step.completed': 'Payée',
    spans: 'Période affichée',
    'span.24h': '24 heures',
    'span.7d': '7 jours',
    'span.30d': '30 jours',
    'history.24h': 'Les 24 dernières heures',
    'history.7d': 'Les 7 derniers jours',
    'history.30d': 'Les 30 derniers jours',
    chart: '{title}, en graphique',
    chartFacts:
      'Un graphique en lignes\u00a0: {created} créées, {paid} payées, {unpaid} échouées, ' +
      'expirées ou annulées. Le tableau a les mêmes nombres.',
    hour: 'Heure',
    day: 'Jour',
    all: 'Total',
    empty: 'Rien ne s’est passé dans cette période.',
    emptyNext: 'Lire comment une boutique crée des demandes de paiement',
    counting:
      'Les paiements d’avant la dernière mise à niveau sont en train d’être comptés, les plus ' +
      'récents d’abord. D’ici là, les chiffres des jours passés sont trop bas.',
    pause: 'Suspendre les chiffres en direct',
    resume: 'Afficher les chiffres en direct',
    worst: 'Le plus longtemps sans webhooks',
    worstLead: 'Marchands dont les serveurs n’ont pris aucun envoi depuis le plus longtemps.',
    worstEmpty: 'Aucun envoi n’est dû à un marchand.',
    merchant: 'Marchand',
    deliveries: 'Envois de {merchant}',
  },
};

export const OVERVIEW_TEXTS = compileTexts(CATALOGUE);
