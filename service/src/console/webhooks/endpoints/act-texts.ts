import { compileTexts } from '#http/pages/texts.ts';

export const ENDPOINT_ACT_TEXTS = compileTexts({
  en: {
    deleteTitle: 'Delete the webhook endpoint?',
    deleteLead: 'Nothing more is sent to {url}.',
    deleteOwed: 'Deliveries that still wait end without being sent: {count, number}.',
    deleteKept: 'Everything that was sent stays readable. Events stay in the feed.',
    deleteGo: 'Delete the endpoint',
    rotateTitle: 'Rotate the signing secret',
    rotateLead:
      'The endpoint gets a new signing secret. The secret before it signs as well for the time ' +
      'that you choose: put the new one in place within that time.',
    overlap: 'Time in which both secrets sign',
    overlapNone: 'None: the old secret stops at once',
    hours: '{hours, plural, one {# hour} other {# hours}}',
    running:
      'A rotation is running: the secret before the current one still signs. A new rotation ends ' +
      'that secret now.',
    force: 'End the older secret, and rotate',
    rotateGo: 'Rotate the secret',
    doneRotated: 'The secret is rotated. Show it here, and put it in place.',
    secretsTitle: 'Secrets of the endpoint',
    secretsLead: 'The audit log records each person who looks at these secrets.',
    secretsGo: 'Show the secrets',
    secretsShown: 'The audit log has recorded that you looked at these secrets.',
    url: 'URL',
    username: 'Username',
    password: 'Password',
    secret: 'Signing secret',
    previous: 'Secret before it',
    previousUntil: 'It signs as well until {until}.',
    back: 'Back to the endpoint',
    cancel: 'Cancel',
    asEnvironment: 'The environment variables',
  },
  fr: {
    deleteTitle: 'Supprimer la destination de webhooks\u00a0?',
    deleteLead: 'Plus rien n’est envoyé à {url}.',
    deleteOwed: 'Les envois qui attendent encore prennent fin sans partir\u00a0: {count, number}.',
    deleteKept: 'Ce qui a été envoyé reste lisible. Les événements restent dans le flux.',
    deleteGo: 'Supprimer la destination',
    rotateTitle: 'Changer le secret de signature',
    rotateLead:
      'La destination reçoit un nouveau secret de signature. Le secret précédent signe aussi ' +
      'pendant la durée que vous choisissez\u00a0: mettez le nouveau en place dans ce délai.',
    overlap: 'Durée pendant laquelle les deux secrets signent',
    overlapNone: 'Aucune\u00a0: l’ancien secret cesse aussitôt',
    hours: '{hours, plural, one {# heure} other {# heures}}',
    running:
      'Un changement est en cours\u00a0: le secret précédent signe encore. Un nouveau changement ' +
      'met fin à ce secret maintenant.',
    force: 'Mettre fin à l’ancien secret, et changer',
    rotateGo: 'Changer le secret',
    doneRotated: 'Le secret est changé. Affichez-le ici, et mettez-le en place.',
    secretsTitle: 'Secrets de la destination',
    secretsLead: 'Le journal d’audit inscrit chaque personne qui voit ces secrets.',
    secretsGo: 'Voir les secrets',
    secretsShown: 'Le journal d’audit a inscrit que vous avez vu ces secrets.',
    url: 'URL',
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    secret: 'Secret de signature',
    previous: 'Secret précédent',
    previousUntil: 'Il signe aussi jusqu’au {until}.',
    back: 'Retour à la destination',
    cancel: 'Annuler',
    asEnvironment: 'Comme variables d’environnement',
  },
});
