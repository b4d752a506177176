import { compileTexts } from '#http/pages/texts.ts';

export const ENDPOINT_FORM_TEXTS = compileTexts({
  en: {
    addTitle: 'Add a webhook endpoint',
    editTitle: 'Edit the webhook endpoint',
    url: 'URL',
    urlHint: 'A public HTTPS address. In production its origin must be registered by the operator.',
    moveHint:
      'At another origin the endpoint gets new credentials and a new signing secret: the ' +
      'old ones ' +
      'stop at once.',
    description: 'Description',
    descriptionHint: 'Your own note, up to 250 characters.',
    types: 'Events to send',
    usual: 'PAYMENT-COMPLETED and PAYMENT-FAILED',
    all: 'All types, also those that later versions add',
    some: 'Only these types:',
    username: 'Username',
    usernameHint: 'For HTTP Basic. Left empty, one is made.',
    usernameKeep: 'For HTTP Basic. Left empty, the username stays.',
    password: 'Password',
    passwordHint: 'At least 8 characters. Left empty, one is made.',
    passwordKeep: 'At least 8 characters. Left empty, the password stays.',
    add: 'Add the endpoint',
    save: 'Save',
    cancel: 'Cancel',
    noTypes: 'Choose at least one type.',
    faults: 'Correct these fields, then send the form again.',
  },
  fr: {
    addTitle: 'Ajouter une destination de webhooks',
    editTitle: 'Modifier la destination de webhooks',
    url: 'URL',
    urlHint:
      'Une adresse HTTPS publique. En production, l’exploitant doit avoir inscrit son origine.',
    moveHint:
      'À une autre origine, la destination reçoit de nouveaux identifiants et un nouveau ' +
      'secret\u00a0: ' +
      'les anciens cessent aussitôt.',
    description: 'Description',
    descriptionHint: 'Votre note, jusqu’à 250 caractères.',
    types: 'Événements à envoyer',
    usual: 'PAYMENT-COMPLETED et PAYMENT-FAILED',
    all: 'Tous les types, aussi ceux que des versions futures ajoutent',
    some: 'Seulement ces types\u00a0:',
    username: 'Nom d’utilisateur',
    usernameHint: 'Pour HTTP Basic. Laissé vide, il est créé.',
    usernameKeep: 'Pour HTTP Basic. Laissé vide, le nom d’utilisateur reste.',
    password: 'Mot de passe',
    passwordHint: 'Au moins 8 caractères. Laissé vide, il est créé.',
    passwordKeep: 'Au moins 8 caractères. Laissé vide, le mot de passe reste.',
    add: 'Ajouter la destination',
    save: 'Enregistrer',
    cancel: 'Annuler',
    noTypes: 'Choisissez au moins un type.',
    faults: 'Corrigez ces champs, puis envoyez de nouveau le formulaire.',
  },
});
