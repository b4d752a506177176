import { compileTexts } from '#http/pages/texts.ts';

export const DEVELOPER_TEXTS = compileTexts({
  en: {
    title: 'For developers',
    lead:
      'Everything that a listener and a client of this environment need. Replace nothing ' +
      'but the secrets.',
    addresses: 'Addresses',
    environment: 'Environment',
    merchant: 'Merchant id',
    api: 'Base URL of the API',
    token: 'Token URL (OAuth 2.0)',
    document: 'OpenAPI document',
    guides: 'Guides',
    reference: 'API reference',
    sdk: 'SDK for JavaScript and TypeScript',
    variables: 'Environment variables',
    variablesHint:
      'The code below reads these variables. {secrets, select, many {Fill in the credentials of ' +
      'the endpoint that you write the listener for.} other {Fill in the secrets.}}',
    endpoints: 'Endpoints',
    noEndpoints: 'There is no webhook endpoint yet.',
    addEndpoint: 'Add an endpoint',
    url: 'URL',
    username: 'Username',
    secrets: 'Secrets',
    showSecrets: 'Show the secrets',
    headers: 'Headers of a webhook',
    header: 'Header',
    contents: 'Contents',
    authorization: 'Basic, with username and password of the endpoint',
    'webhook-id': 'The event’s id, equal in every attempt',
    'webhook-timestamp': 'The time of the attempt, in seconds since 1970',
    'webhook-signature':
      'Signatures with a space between them, each v1, and base64: HMAC-SHA-256 over ' +
      'id.timestamp.body',
    'user-agent': 'This service',
    rules: 'Rules for a listener',
    answer: 'Answer 2xx within 15 seconds, after the event is stored. Redirects are not followed.',
    schedule: 'Attempts: {count, number}, after these waits: {waits}.',
    repeat: 'Repeats are normal: store the event under its id, so that a repeat changes nothing.',
    code: 'Verify a webhook',
    codeLead:
      'The tests of this service run this code. The SDK comes first; below it, the check in ' +
      'other languages.',
    sdkGroup: 'JavaScript and TypeScript, with the SDK',
    install: 'Install the SDK from this service',
    verify: 'Verify, then store',
    inbox: 'The inbox: each event once',
    tables: 'Its tables in PostgreSQL',
    noCode: 'The guides are not installed here. The code is in the guide “Receive webhooks”.',
    try: 'Try it',
    tryLead:
      'Send a test event from the page of an endpoint. It shows the request as sent and ' +
      'your answer.',
  },
  fr: {
    title: 'Pour les développeurs',
    lead:
      'Tout ce qu’il faut à un serveur et à un client de cet environnement. Ne remplacez ' +
      'que les secrets.',
    addresses: 'Adresses',
    environment: 'Environnement',
    merchant: 'Id du marchand',
    api: 'URL de base de l’API',
    token: 'URL des jetons (OAuth 2.0)',
    document: 'Document OpenAPI',
    guides: 'Guides (en anglais)',
    reference: 'Référence de l’API (en anglais)',
    sdk: 'SDK pour JavaScript et TypeScript',
    variables: 'Variables d’environnement',
    variablesHint:
      'Le code plus bas lit ces variables. {secrets, select, many {Mettez les identifiants de la ' +
      'destination pour laquelle vous écrivez le serveur.} other {Ajoutez les secrets.}}',
    endpoints: 'Destinations',
    noEndpoints: 'Il n’y a pas encore de destination de webhooks.',
    addEndpoint: 'Ajouter une destination',
    url: 'URL',
    username: 'Nom d’utilisateur',
    secrets: 'Secrets',
    showSecrets: 'Voir les secrets',
    headers: 'En-têtes d’un webhook',
    header: 'En-tête',
    contents: 'Contenu',
    authorization: 'Basic, avec le nom d’utilisateur et le mot de passe de la destination',
    'webhook-id': 'L’id de l’événement, le même à chaque tentative',
    'webhook-timestamp': 'L’heure de la tentative, en secondes depuis 1970',
    'webhook-signature':
      'Une ou plusieurs signatures séparées par une espace, chacune v1, et base64\u00a0: ' +
      'HMAC-SHA-256 ' +
      'sur id.timestamp.corps',
    'user-agent': 'Ce service',
    rules: 'À savoir pour un serveur',
    answer:
      'Répondez 2xx en 15 secondes, une fois l’événement enregistré. Les redirections ne ' +
      'sont pas suivies.',
    schedule: 'Tentatives\u00a0: {count, number}, après ces attentes\u00a0: {waits}.',
    repeat:
      'Les répétitions sont normales\u00a0: enregistrez l’événement sous son id, pour ' +
      'qu’une répétition ne ' +
      'change rien.',
    code: 'Vérifier un webhook',
    codeLead:
      'Les tests de ce service exécutent ce code. Le SDK vient en premier\u00a0; plus bas, ' +
      'la vérification ' +
      'dans d’autres langages.',
    sdkGroup: 'JavaScript et TypeScript, avec le SDK',
    install: 'Installer le SDK depuis ce service',
    verify: 'Vérifier, puis enregistrer',
    inbox: 'La boîte d’entrée\u00a0: chaque événement une fois',
    tables: 'Ses tables dans PostgreSQL',
    noCode:
      'Les guides ne sont pas installés ici. Le code est dans le guide «\u00a0Receive ' +
      'webhooks\u00a0».',
    try: 'Essayer',
    tryLead:
      'Envoyez un événement d’essai depuis la page d’une destination. Elle montre la ' +
      'requête et votre réponse.',
  },
});
