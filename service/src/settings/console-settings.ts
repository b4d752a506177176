import { readRoleRules } from '#console/sign-in/model/role-mapping.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { optionalSetting, setting } from './setting.ts';

/** Settings of the console's sign-in (docs/operations/console.md). */
export const CONSOLE_SETTINGS = {
  CONSOLE_OIDC_ISSUER: optionalSetting({
    meaning:
      'the identity provider of the console’s people: its issuer, as in https://login.example; ' +
      'default: people sign in by payreq console link alone',
    read: readIssuer,
  }),
  CONSOLE_OIDC_CLIENT_ID: optionalSetting({
    meaning: 'the client id of the console at the identity provider',
    read: readPlain,
  }),
  CONSOLE_OIDC_CLIENT_SECRET: setting({
    meaning: 'the client secret of the console at the identity provider; empty: a public client',
    fallback: '',
    secret: true,
    read: readPlain,
  }),
  CONSOLE_OIDC_SCOPES: setting({
    meaning: 'the scopes that the console asks for, with spaces between them',
    fallback: 'openid profile',
    read: readScopes,
  }),
  CONSOLE_ROLES_CLAIM: setting({
    meaning: 'the claim with a person’s groups or roles, as in groups or realm_access.roles',
    fallback: 'groups',
    read: readPlain,
  }),
  CONSOLE_ROLES: setting({
    meaning:
      'the role of each value of the claim: value=role or value=role@merchant, separated by ' +
      'semicolons, as in payment-operators=operator;pay-*-support=support@*',
    fallback: '',
    read: readRoleRules,
  }),
} as const;

function readIssuer(text: string): string {
  const url = /\s/.test(text) ? null : URL.parse(text);
  const isPossible = url?.protocol === 'https:' || (url && isPlainLocalhost(url.origin));
  if (!url || !isPossible) {
    throw new Error('must be an address that begins with https://, but for localhost');
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new Error('must have no query, fragment or user');
  }
  return text;
}

function readPlain(text: string): string {
  if (!/^[\x20-\x7e]{0,1000}$/.test(text)) {
    throw new Error('must be at most 1000 printable ASCII characters');
  }
  return text;
}

function readScopes(text: string): string {
  const scopes = text.split(' ').filter((scope) => scope !== '');
  if (!scopes.includes('openid')) throw new Error('must hold openid');
  return readPlain(scopes.join(' '));
}
