import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

type Key =
  | 'title'
  | 'lead'
  | 'usernames'
  | 'username'
  | 'scopes'
  | 'status'
  | 'LIVE'
  | 'ENDED'
  | 'REVOKED'
  | 'passwords'
  | 'created'
  | 'ends'
  | 'lastUse'
  | 'never'
  | 'unused'
  | 'apiKeys'
  | 'apiKey'
  | 'current'
  | 'overlapTitle'
  | 'overlapEnds'
  | 'overlapUsed'
  | 'overlapUnused'
  | 'overlapUnsure'
  | 'rotate'
  | 'rotateTitle'
  | 'rotateLead'
  | 'overlap'
  | 'overlapHint'
  | 'rotateShow'
  | 'rotateFile'
  | 'rotated'
  | 'rotatedNext'
  | 'create'
  | 'createTitle'
  | 'createLead'
  | 'createdTitle'
  | 'revoke'
  | 'revokeUsername'
  | 'revokeUsernameNext'
  | 'revokeKey'
  | 'revokeKeyNext'
  | 'confirm'
  | 'revoked'
  | 'nothingLive'
  | 'noUsername'
  | 'lastUseHint'
  | 'once'
  | 'download'
  | 'unchanged'
  | 'act'
  | 'back'
  | 'hoursFault'
  | 'scopesFault';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Credentials',
    lead:
      'A program asks for a token with a username and its password, and sends an API key with ' +
      'each call.',
    usernames: 'Usernames',
    username: 'Username',
    scopes: 'Scopes',
    status: 'Status',
    LIVE: 'Live',
    ENDED: 'Ended',
    REVOKED: 'Revoked',
    passwords: 'Passwords',
    created: 'Created',
    ends: 'Ends',
    lastUse: 'Last use',
    never: 'No end',
    unused: 'Not used yet',
    apiKeys: 'API keys',
    apiKey: 'API key',
    current: 'Current',
    overlapTitle: 'A rotation is under way',
    overlapEnds: 'The key {hint}… ends {when}.',
    overlapUsed: 'It was last used {when}: put the new key in place before it ends.',
    overlapUnused: 'It has not been used since the rotation.',
    overlapUnsure:
      'It was last used {when}, exact to the hour. A program that still uses it shows here ' +
      'within an hour.',
    rotate: 'Rotate',
    rotateTitle: 'Rotate credentials',
    rotateLead:
      'This makes a new password for {username} and a new API key. The current ones go on for ' +
      'the overlap, and older ones end at once.',
    overlap: 'Overlap in hours',
    overlapHint: '0 to {most}. Take as long as you need to put the new values in place.',
    rotateShow: 'Rotate and show',
    rotateFile: 'Rotate and download .env',
    rotated: 'The new credentials',
    rotatedNext: 'The old password and API key end {when}. Watch their last use on the list.',
    create: 'Create a username',
    createTitle: 'Create a username',
    createLead: 'For a program that needs fewer rights, or after a revocation.',
    createdTitle: 'The new username',
    revoke: 'Revoke',
    revokeUsername: 'Revoke the username {name}?',
    revokeUsernameNext:
      'Its passwords and tokens stop within 5 seconds, for good. Programs that use it get 401.',
    revokeKey: 'Revoke the API key {name}…?',
    revokeKeyNext: 'It stops within 5 seconds, for good. Programs that use it get 401.',
    confirm: 'Yes, revoke it for good',
    revoked: 'Revoked. It stops working within 5 seconds.',
    nothingLive: 'Nothing is live: no program of this merchant can call the service.',
    noUsername: 'There is no live credential of that name.',
    lastUseHint: 'The last use is exact to the hour.',
    once: 'Keep these now. The service cannot show the password and the API key again.',
    download: 'Download as .env',
    unchanged: 'unchanged',
    act: 'Act',
    back: 'Back to the credentials',
    hoursFault: 'Give a whole number from 0 to {most}.',
    scopesFault: 'Choose at least one scope.',
  },
  fr: {
    title: 'Identifiants d’accès',
    lead:
      'Un programme demande un jeton avec un nom d’utilisateur et son mot de passe, et envoie ' +
      'une clé d’API à chaque appel.',
    usernames: 'Noms d’utilisateur',
    username: 'Nom d’utilisateur',
    scopes: 'Droits',
    status: 'État',
    LIVE: 'Actif',
    ENDED: 'Terminé',
    REVOKED: 'Révoqué',
    passwords: 'Mots de passe',
    created: 'Création',
    ends: 'Fin',
    lastUse: 'Dernier usage',
    never: 'Sans fin',
    unused: 'Jamais utilisé',
    apiKeys: 'Clés d’API',
    apiKey: 'Clé d’API',
    current: 'Actuel',
    overlapTitle: 'Une rotation est en cours',
    overlapEnds: 'La clé {hint}… se termine {when}.',
    overlapUsed: 'Dernier usage {when}\u00a0: mettez la nouvelle clé en place avant la fin.',
    overlapUnused: 'Elle n’a pas servi depuis la rotation.',
    overlapUnsure:
      'Dernier usage {when}, à l’heure près. Un programme qui s’en sert encore paraît ici en ' +
      'moins d’une heure.',
    rotate: 'Renouveler',
    rotateTitle: 'Renouveler les identifiants',
    rotateLead:
      'Un nouveau mot de passe pour {username} et une nouvelle clé d’API sont créés. Les ' +
      'actuels restent valables pendant le recouvrement, les plus anciens se terminent ' +
      'aussitôt.',
    overlap: 'Recouvrement en heures',
    overlapHint: 'De 0 à {most}. Prévoyez le temps de mettre les nouvelles valeurs en place.',
    rotateShow: 'Renouveler et afficher',
    rotateFile: 'Renouveler et télécharger .env',
    rotated: 'Les nouveaux identifiants',
    rotatedNext:
      'L’ancien mot de passe et l’ancienne clé se terminent {when}. Suivez leur dernier usage ' +
      'dans la liste.',
    create: 'Créer un nom d’utilisateur',
    createTitle: 'Créer un nom d’utilisateur',
    createLead: 'Pour un programme qui a besoin de moins de droits, ou après une révocation.',
    createdTitle: 'Le nouveau nom d’utilisateur',
    revoke: 'Révoquer',
    revokeUsername: 'Révoquer le nom d’utilisateur {name}\u00a0?',
    revokeUsernameNext:
      'Ses mots de passe et ses jetons cessent de valoir en 5 secondes, pour toujours. Les ' +
      'programmes qui l’utilisent reçoivent 401.',
    revokeKey: 'Révoquer la clé d’API {name}…\u00a0?',
    revokeKeyNext:
      'Elle cesse de valoir en 5 secondes, pour toujours. Les programmes qui l’utilisent ' +
      'reçoivent 401.',
    confirm: 'Oui, révoquer pour toujours',
    revoked: 'Révoqué. L’accès cesse en 5 secondes.',
    nothingLive:
      'Rien n’est actif\u00a0: aucun programme de ce marchand ne peut appeler le service.',
    noUsername: 'Il n’y a aucun identifiant actif de ce nom.',
    lastUseHint: 'Le dernier usage est exact à l’heure près.',
    once: 'Conservez ces valeurs maintenant. Le mot de passe et la clé ne seront plus affichés.',
    download: 'Télécharger en .env',
    unchanged: 'inchangé',
    act: 'Action',
    back: 'Retour aux identifiants',
    hoursFault: 'Indiquez un nombre entier de 0 à {most}.',
    scopesFault: 'Choisissez au moins un droit.',
  },
};

export const CREDENTIAL_TEXTS = compileTexts(CATALOGUE);
