import { type Catalogue, compileTexts } from '#http/pages/texts.ts';
import type { SignInFault } from './model/sign-in-fault.ts';

type Key =
  | `fault.${SignInFault}`
  | 'title'
  | 'byProvider'
  | 'goToProvider'
  | 'byLinkToo'
  | 'byLink'
  | 'haveLink'
  | 'signedOut'
  | 'signOutProvider'
  | 'signedOutProvider'
  | 'linkTitle'
  | 'linkOpened'
  | 'linkPaste'
  | 'linkField'
  | 'linkHint'
  | 'linkUsed'
  | 'signIn'
  | 'againTitle'
  | 'againLead'
  | 'againProvider'
  | 'againLink';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Sign in to the console',
    byProvider: 'You sign in at {host}. This service sees no password.',
    goToProvider: 'Sign in',
    byLinkToo: 'An operator can also make a one-time link: <code>payreq console link</code>.',
    byLink: 'Ask an operator for a one-time link: <code>payreq console link</code>.',
    haveLink: 'I have a link',
    signedOut: 'You are signed out.',
    signOutProvider: 'Sign out of {host} too',
    signedOutProvider: '{host} has no sign-out of its own, or does not answer.',
    linkTitle: 'Sign in by a one-time link',
    linkOpened: 'Your link signs you in once, within ten minutes of its making.',
    linkPaste: 'Paste your link. It signs you in once, within ten minutes of its making.',
    linkField: 'One-time link',
    linkHint: 'The whole address, or the part behind #.',
    linkUsed:
      'This link does not work: it was used, it is older than ten minutes, or a part of it ' +
      'is missing. Ask an operator for a new one.',
    signIn: 'Sign in',
    againTitle: 'Confirm that it is you',
    againLead:
      'Money and secrets need a sign-in of the last ten minutes. You come back to your page.',
    againProvider: 'Confirm at {host}',
    againLink:
      'You signed in by a one-time link. Ask an operator for a new link, and paste it here.',
    'fault.UNREACHABLE': 'The identity provider cannot be reached. Try again in a minute.',
    'fault.SILENT': 'The identity provider did not answer in time. Try again in a minute.',
    'fault.REFUSED': 'The identity provider refused the sign-in, or you cancelled it.',
    'fault.INVALID_ANSWER':
      'The answer of the identity provider was not in order. You are not signed in. Try ' +
      'again; if it happens twice, tell your operator.',
    'fault.NOT_FRESH':
      'The identity provider did not ask for your password or key again, so nothing is ' +
      'confirmed. Tell your operator if it happens twice.',
    'fault.NO_ROLE':
      'The identity provider knows you, but you have no role in this console. Ask your ' +
      'operator for one.',
    'fault.TOO_MANY_ROLES':
      'The identity provider names more than 100 roles for you. Tell your operator.',
    'fault.EXPIRED':
      'This sign-in was older than 15 minutes, used before, or begun in another window. ' +
      'Please begin again.',
    'fault.TOO_MANY': 'Too many failed sign-ins from your network. Wait a minute, then try again.',
    'fault.BUSY': 'Many people are signing in at this moment. Try again in a minute.',
  },
  fr: {
    title: 'Ouvrir une session',
    byProvider: 'Vous vous identifiez sur {host}. Ce service ne voit aucun mot de passe.',
    goToProvider: 'S’identifier',
    byLinkToo:
      'L’exploitant peut aussi créer un lien à usage unique\u00a0: <code>payreq console ' +
      'link</code>.',
    byLink:
      'Demandez un lien à usage unique à l’exploitant\u00a0: <code>payreq console link</code>.',
    haveLink: 'J’ai un lien',
    signedOut: 'Votre session est fermée.',
    signOutProvider: 'Fermer aussi la session sur {host}',
    signedOutProvider: '{host} ne propose pas de déconnexion, ou ne répond pas.',
    linkTitle: 'Ouvrir une session par lien',
    linkOpened: 'Votre lien ouvre une session, une seule fois, dans les dix minutes.',
    linkPaste: 'Collez votre lien. Il ouvre une session, une seule fois, dans les dix minutes.',
    linkField: 'Lien à usage unique',
    linkHint: 'L’adresse entière, ou la partie après #.',
    linkUsed:
      'Ce lien ne fonctionne pas\u00a0: il a déjà servi, il date de plus de dix minutes, ' +
      'ou il est incomplet. Demandez-en un nouveau à l’exploitant.',
    signIn: 'Ouvrir la session',
    againTitle: 'Confirmez votre identité',
    againLead:
      'L’argent et les secrets exigent une identification des dix dernières minutes. Vous ' +
      'reviendrez à votre page.',
    againProvider: 'Confirmer sur {host}',
    againLink:
      'Votre session vient d’un lien à usage unique. Demandez un nouveau lien à ' +
      'l’exploitant et collez-le ici.',
    'fault.UNREACHABLE': 'Le fournisseur d’identité est injoignable. Réessayez dans une minute.',
    'fault.SILENT': 'Le fournisseur d’identité n’a pas répondu à temps. Réessayez dans une minute.',
    'fault.REFUSED': 'Le fournisseur d’identité a refusé l’identification, ou vous l’avez annulée.',
    'fault.INVALID_ANSWER':
      'La réponse du fournisseur d’identité n’était pas conforme. Aucune session n’est ' +
      'ouverte. Réessayez\u00a0; en cas de répétition, prévenez l’exploitant.',
    'fault.NOT_FRESH':
      'Le fournisseur d’identité n’a pas redemandé votre mot de passe ou votre clé\u00a0: ' +
      'rien n’est confirmé. En cas de répétition, prévenez l’exploitant.',
    'fault.NO_ROLE':
      'Le fournisseur d’identité vous connaît, mais vous n’avez aucun rôle dans cette ' +
      'console. Demandez-en un à l’exploitant.',
    'fault.TOO_MANY_ROLES':
      'Le fournisseur d’identité vous donne plus de 100 rôles. Prévenez l’exploitant.',
    'fault.EXPIRED':
      'Cette identification datait de plus de 15 minutes, a déjà servi, ou venait d’une ' +
      'autre fenêtre. Veuillez recommencer.',
    'fault.TOO_MANY': 'Trop d’échecs depuis votre réseau. Attendez une minute, puis réessayez.',
    'fault.BUSY': 'Beaucoup de personnes s’identifient en ce moment. Réessayez dans une minute.',
  },
};

export const SIGN_IN_TEXTS = compileTexts(CATALOGUE);
