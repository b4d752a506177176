import { compileTexts } from '#http/pages/texts.ts';

export const FEED_TEXTS = compileTexts({
  en: {
    title: 'Events',
    lead:
      'Every event of the merchant as it lies in the feed (<code>GET /events</code>), in the ' +
      'order of the commits, whether or not it was delivered. Events are kept for 90 days.',
    types: 'Types',
    after: 'After the cursor',
    afterHint:
      'The cursor that your reader of the feed keeps. Events after it follow, oldest first.',
    show: 'Show',
    notACursor: 'This is no cursor of this merchant’s feed.',
    all: 'Clear',
    event: 'Event',
    at: 'Time',
    sequence: 'Sequence',
    request: 'Payment request',
    body: 'Body',
    cursor: 'Cursor after this event',
    none: 'There are no events here.',
    noneNext: 'An event is written when a payment request reaches a final status.',
    noneFiltered: 'No event has these types, or there is none behind this cursor.',
    newest: 'Newest',
    older: 'Older events',
    onward: 'Later events',
    pages: 'Pages',
    copy: 'Copy',
  },
  fr: {
    title: 'Événements',
    lead:
      'Chaque événement du marchand tel qu’il est dans le flux (<code>GET /events</code>), dans ' +
      'l’ordre des validations, remis ou non. Les événements sont gardés 90 jours.',
    types: 'Types',
    after: 'Après le curseur',
    afterHint:
      'Le curseur que votre lecteur du flux conserve\u00a0: les événements qui le suivent, ' +
      'du plus ancien.',
    show: 'Afficher',
    notACursor: 'Ce n’est pas un curseur du flux de ce marchand.',
    all: 'Effacer',
    event: 'Événement',
    at: 'Heure',
    sequence: 'Numéro d’ordre',
    request: 'Demande de paiement',
    body: 'Corps',
    cursor: 'Curseur après cet événement',
    none: 'Il n’y a pas d’événements ici.',
    noneNext: 'Un événement est écrit quand une demande de paiement atteint un état final.',
    noneFiltered: 'Aucun événement n’a ces types, ou aucun ne suit ce curseur.',
    newest: 'Plus récents',
    older: 'Événements plus anciens',
    onward: 'Événements suivants',
    pages: 'Pages',
    copy: 'Copier',
  },
});
