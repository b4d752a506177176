import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

type Key =
  | 'title'
  | 'lead'
  | 'ready'
  | 'notReady'
  | 'service'
  | 'version'
  | 'schema'
  | 'schemaCurrent'
  | 'schemaMissing'
  | 'schemaNewer'
  | 'state'
  | 'queues'
  | 'queue'
  | 'now'
  | 'doctor'
  | 'doctorNever'
  | 'doctorRan'
  | 'doctorBy'
  | 'doctorVersion'
  | 'doctorFine'
  | 'doctorWarnings'
  | 'doctorFaults'
  | 'doctorHow'
  | 'check'
  | 'result'
  | 'ok'
  | 'warn'
  | 'fail'
  | 'allChecks'
  | 'keys'
  | 'keyId'
  | 'age'
  | 'use'
  | 'SIGNING'
  | 'UPCOMING'
  | 'VERIFYING'
  | 'RETIRED'
  | 'REMOVED'
  | 'keysHow'
  | 'loops'
  | 'loopsLead'
  | 'loop'
  | 'turned'
  | 'seconds'
  | 'stalled'
  | 'turning'
  | 'endpoints'
  | 'endpointsNone'
  | 'endpoint'
  | 'merchant'
  | 'since'
  | 'FAILING'
  | 'PAUSED'
  | 'stuck'
  | 'stuckLead'
  | 'stuckNone'
  | 'stuckOpen'
  | 'paymentRequest'
  | 'why'
  | 'EXPIRY_OVERDUE'
  | 'PROCESSING_LONG'
  | 'back'
  | 'unread'
  | 'g.open'
  | 'g.processing'
  | 'g.overdue'
  | 'g.processingAge'
  | 'g.cases'
  | 'g.pending'
  | 'g.due'
  | 'g.probed'
  | 'g.feed'
  | 'g.withoutPayment';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Health',
    lead: 'The state of this deployment, as the process that answered you sees it.',
    ready: 'Ready',
    notReady: 'Not ready',
    service: 'Service',
    version: 'Version',
    schema: 'Database schema',
    schemaCurrent: 'All migrations are applied; the last is {last}',
    schemaMissing: 'Not applied yet: {names}. Run payreq migrate.',
    schemaNewer: 'A newer version has migrated the database: {names}',
    state: 'State',
    queues: 'Queues',
    queue: 'Queue',
    now: 'Now',
    doctor: 'The doctor’s last result',
    doctorNever:
      'The doctor has not run yet. Run payreq doctor where the service runs, best every day.',
    doctorRan: 'Ran',
    doctorBy: 'By',
    doctorVersion: 'Version',
    doctorFine: 'Nothing is wrong',
    doctorWarnings: 'Warnings: {count}',
    doctorFaults: 'Faults: {count}',
    doctorHow: 'For a new result, run payreq doctor where the service runs.',
    check: 'Check',
    result: 'Result',
    ok: 'Fine',
    warn: 'Warning',
    fail: 'Fault',
    allChecks: 'All checks',
    keys: 'Keys of access tokens',
    keyId: 'Key',
    age: 'Created',
    use: 'Use',
    SIGNING: 'Signs',
    UPCOMING: 'Signs soon',
    VERIFYING: 'Verifies older tokens',
    RETIRED: 'Retired',
    REMOVED: 'Removed',
    keysHow: 'Put a new key in place with payreq keys rotate.',
    loops: 'Background loops',
    loopsLead: 'The loops of the process that answered. Other processes report theirs as metrics.',
    loop: 'Loop',
    turned: 'Last turn',
    seconds: '{count, number} s ago',
    stalled: 'Stands still',
    turning: 'Turns',
    endpoints: 'Endpoints that get no webhooks',
    endpointsNone: 'Every endpoint gets its webhooks.',
    endpoint: 'Endpoint',
    merchant: 'Merchant',
    since: 'Since',
    FAILING: 'Failing',
    PAUSED: 'Paused',
    stuck: 'Stuck payment requests',
    stuckLead:
      'Payment requests whose expiry is overdue by 2 minutes, or whose payment has been under ' +
      'way for an hour.',
    stuckNone: 'No payment request is stuck.',
    stuckOpen: 'Look at the stuck payment requests',
    paymentRequest: 'Payment request',
    why: 'Why',
    EXPIRY_OVERDUE: 'Its expiry is not written',
    PROCESSING_LONG: 'Its payment does not end',
    back: 'Back to health',
    unread: 'not read',
    'g.open': 'Payment requests that wait for their payer',
    'g.processing': 'Payments under way',
    'g.overdue': 'Oldest expiry that is not written',
    'g.processingAge': 'Oldest payment under way',
    'g.cases': 'Open cases',
    'g.pending': 'Webhook deliveries that are not over',
    'g.due': 'Oldest webhook delivery that is due',
    'g.probed': 'Webhook endpoints that are only probed',
    'g.feed': 'Lag of the event feed',
    'g.withoutPayment': 'Open payment requests without a payment at the network',
  },
  fr: {
    title: 'Santé',
    lead: 'L’état de ce déploiement, tel que le voit le processus qui vous a répondu.',
    ready: 'Prêt',
    notReady: 'Pas prêt',
    service: 'Service',
    version: 'Version',
    schema: 'Schéma de la base',
    schemaCurrent: 'Toutes les migrations sont appliquées\u00a0; la dernière est {last}',
    schemaMissing: 'Pas encore appliquées\u00a0: {names}. Lancez payreq migrate.',
    schemaNewer: 'Une version plus récente a migré la base\u00a0: {names}',
    state: 'État',
    queues: 'Files d’attente',
    queue: 'File',
    now: 'À présent',
    doctor: 'Dernier résultat du docteur',
    doctorNever:
      'Le docteur n’est pas encore passé. Lancez payreq doctor là où tourne le service, si ' +
      'possible chaque jour.',
    doctorRan: 'Passage',
    doctorBy: 'Par',
    doctorVersion: 'Version',
    doctorFine: 'Rien d’anormal',
    doctorWarnings: 'Avertissements\u00a0: {count}',
    doctorFaults: 'Fautes\u00a0: {count}',
    doctorHow: 'Pour un nouveau résultat, lancez payreq doctor là où tourne le service.',
    check: 'Contrôle',
    result: 'Résultat',
    ok: 'Bon',
    warn: 'Avertissement',
    fail: 'Faute',
    allChecks: 'Tous les contrôles',
    keys: 'Clés des jetons d’accès',
    keyId: 'Clé',
    age: 'Création',
    use: 'Usage',
    SIGNING: 'Signe',
    UPCOMING: 'Signe bientôt',
    VERIFYING: 'Vérifie les jetons plus anciens',
    RETIRED: 'Retirée',
    REMOVED: 'Supprimée',
    keysHow: 'Mettez une nouvelle clé en place avec payreq keys rotate.',
    loops: 'Boucles d’arrière-plan',
    loopsLead:
      'Les boucles du processus qui a répondu. Les autres processus publient les leurs comme ' +
      'métriques.',
    loop: 'Boucle',
    turned: 'Dernier tour',
    seconds: 'il y a {count, number}\u00a0s',
    stalled: 'À l’arrêt',
    turning: 'Tourne',
    endpoints: 'Destinations sans webhooks',
    endpointsNone: 'Chaque destination reçoit ses webhooks.',
    endpoint: 'Destination',
    merchant: 'Marchand',
    since: 'Depuis',
    FAILING: 'En panne',
    PAUSED: 'En pause',
    stuck: 'Demandes de paiement bloquées',
    stuckLead:
      'Les demandes dont l’expiration tarde de 2 minutes, ou dont le paiement est en cours ' +
      'depuis une heure.',
    stuckNone: 'Aucune demande de paiement n’est bloquée.',
    stuckOpen: 'Voir les demandes bloquées',
    paymentRequest: 'Demande de paiement',
    why: 'Pourquoi',
    EXPIRY_OVERDUE: 'Son expiration n’est pas écrite',
    PROCESSING_LONG: 'Son paiement ne se termine pas',
    back: 'Retour à la santé',
    unread: 'non lu',
    'g.open': 'Demandes qui attendent leur payeur',
    'g.processing': 'Paiements en cours',
    'g.overdue': 'Plus ancienne expiration non écrite',
    'g.processingAge': 'Plus ancien paiement en cours',
    'g.cases': 'Dossiers ouverts',
    'g.pending': 'Envois de webhooks non terminés',
    'g.due': 'Plus ancien envoi de webhook dû',
    'g.probed': 'Destinations de webhooks seulement sondées',
    'g.feed': 'Retard du flux d’événements',
    'g.withoutPayment': 'Demandes ouvertes sans paiement chez le réseau',
  },
};

export const HEALTH_TEXTS = compileTexts(CATALOGUE);
export type HealthKey = Key;
