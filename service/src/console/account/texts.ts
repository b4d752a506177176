import type { Role } from '#console/model/roles.ts';
import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

type Key =
  | `role.${Role}`
  | 'title'
  | 'person'
  | 'subject'
  | 'issuer'
  | 'kind'
  | 'kind.OIDC'
  | 'kind.LINK'
  | 'roles'
  | 'roleAt'
  | 'ends'
  | 'idle'
  | 'proven'
  | 'confirm'
  | 'sessions'
  | 'current'
  | 'since'
  | 'seen'
  | 'endAll'
  | 'endAllNote'
  | 'peopleTitle'
  | 'peopleLead'
  | 'peopleFull'
  | 'end'
  | 'endOf'
  | 'ended'
  | 'gone'
  | 'none';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Your account',
    person: 'Name',
    subject: 'Subject',
    issuer: 'Identity provider',
    kind: 'Signed in by',
    'kind.OIDC': 'identity provider',
    'kind.LINK': 'one-time link',
    roles: 'Roles',
    roleAt: '{role} of {merchant}',
    ends: 'This session ends',
    idle: 'or after 30 minutes without a page',
    proven: 'Last confirmed',
    confirm: 'Confirm again',
    sessions: 'Your sessions',
    current: 'this browser',
    since: 'Signed in',
    seen: 'Last page',
    endAll: 'Sign out everywhere',
    endAllNote: 'Ends all of your sessions, this one included.',
    peopleTitle: 'Sessions',
    peopleLead: 'People who are signed in now. An ended session counts at the next page.',
    peopleFull: 'The newest 200 are shown. Use payreq console sessions for the others.',
    end: 'End',
    endOf: 'End the session of {name}',
    ended: 'The session is ended.',
    gone: 'This session had ended before.',
    none: 'No person is signed in.',
    'role.operator': 'Operator',
    'role.operator-readonly': 'Operator (reads only)',
    'role.administrator': 'Administrator',
    'role.support': 'Support',
    'role.finance': 'Finance',
    'role.viewer': 'Viewer',
  },
  fr: {
    title: 'Votre compte',
    person: 'Nom',
    subject: 'Sujet',
    issuer: 'Fournisseur d’identité',
    kind: 'Session ouverte par',
    'kind.OIDC': 'fournisseur d’identité',
    'kind.LINK': 'lien à usage unique',
    roles: 'Rôles',
    roleAt: '{role} de {merchant}',
    ends: 'Cette session se termine',
    idle: 'ou après 30 minutes sans page',
    proven: 'Dernière confirmation',
    confirm: 'Confirmer de nouveau',
    sessions: 'Vos sessions',
    current: 'ce navigateur',
    since: 'Ouverte',
    seen: 'Dernière page',
    endAll: 'Fermer toutes les sessions',
    endAllNote: 'Ferme toutes vos sessions, y compris celle-ci.',
    peopleTitle: 'Sessions',
    peopleLead:
      'Les personnes dont la session est ouverte. La fermeture compte dès la page suivante.',
    peopleFull:
      'Les 200 plus récentes sont affichées. Pour les autres\u00a0: payreq console sessions.',
    end: 'Fermer',
    endOf: 'Fermer la session de {name}',
    ended: 'La session est fermée.',
    gone: 'Cette session était déjà fermée.',
    none: 'Aucune session n’est ouverte.',
    'role.operator': 'Exploitation',
    'role.operator-readonly': 'Exploitation (lecture seule)',
    'role.administrator': 'Administration',
    'role.support': 'Assistance',
    'role.finance': 'Finances',
    'role.viewer': 'Lecture',
  },
};

export const ACCOUNT_TEXTS = compileTexts(CATALOGUE);
