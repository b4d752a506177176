import { html } from 'ghtml';
import { relativeText } from '#console/components/relative-time.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, Visit } from '#console/shell/visit.ts';
import { createCredentials } from '#merchants/credentials/create.ts';
import { type CredentialList, readCredentials } from '#merchants/credentials/list.ts';
import { revokeCredentials } from '#merchants/credentials/revoke.ts';
import { LONGEST_OVERLAP_HOURS, rotateCredentials } from '#merchants/credentials/rotate.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { envFile } from './env-file.ts';
import { createPage, framed, type Revocable, revokePage, rotatePage } from './forms.ts';
import { credentialsPath, renderCredentials } from './list-page.ts';
import { envFileName, type SecretsShown, showOnce } from './show-once.ts';
import { CREDENTIAL_TEXTS } from './texts.ts';

const HOUR_MS = 3_600_000;
const READ = 'credentials.read';
const CHANGE = 'credentials.change';

/** A merchant's usernames and API keys: list, rotate, create, revoke. */
export function registerCredentialPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  const path = '/m/:merchant/credentials';
  const list = ({ merchantId }: Visit) => readCredentials(deps, merchantId);
  routes.page({
    path,
    action: READ,
    show: async (visit) => renderCredentials(visit, await list(visit)),
  });
  routes.page({
    path: `${path}/rotate`,
    action: CHANGE,
    async show(visit) {
      const found = await list(visit);
      return rotatePage(visit, found, liveUsername(visit, found, visit.query.get('username')));
    },
  });
  routes.act({
    path: `${path}/rotate`,
    action: CHANGE,
    form: 'choice',
    act: (visit, form) => rotate(deps, visit, form),
  });
  routes.page({
    path: `${path}/new`,
    action: CHANGE,
    show: async (visit) => createPage(visit, await list(visit)),
  });
  routes.act({
    path: `${path}/new`,
    action: CHANGE,
    form: 'choice',
    act: (visit, form) => create(deps, visit, form),
  });
  routes.page({
    path: `${path}/revoke`,
    action: CHANGE,
    show: async (visit) => revokePage(visit, revocable(visit, await list(visit), visit.query)),
  });
  routes.act({
    path: `${path}/revoke`,
    action: CHANGE,
    form: 'choice',
    async act(visit, form) {
      const { merchantId, actor } = visit;
      const { member, id } = revocable(visit, await list(visit), form);
      const what = member === 'key' ? { apiKeyId: id } : { username: id };
      await revokeCredentials({ ...deps, actor }, { merchantId, what });
      return { to: `/console${credentialsPath(merchantId)}`, done: 'revoked' };
    },
  });
}

async function rotate(
  deps: ConsoleDeps,
  visit: Visit,
  form: URLSearchParams,
): Promise<ConsoleAnswer> {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const { merchantId, actor } = visit;
  const found = await readCredentials(deps, merchantId);
  const username = liveUsername(visit, found, form.get('username'));
  const value = form.get('overlap')?.trim() ?? '';
  const overlapHours = /^\d{1,3}$/.test(value) ? Number(value) : Number.NaN;
  if (!(overlapHours <= LONGEST_OVERLAP_HOURS)) {
    const fault = text('hoursFault', { most: LONGEST_OVERLAP_HOURS });
    return rotatePage(visit, found, username, { fault, value });
  }
  const rotated = await rotateCredentials(
    { ...deps, ...deps.credentials, actor },
    { merchantId, username, overlapHours, seenApiKeyId: form.get('seen') || null },
  );
  const shown = secretsOf(deps, visit, rotated);
  if (form.get('as') === 'file') return envAnswer(deps, shown);
  const end = new Date(visit.now.getTime() + overlapHours * HOUR_MS);
  const next = text('rotatedNext', { when: relativeText(visit, end) });
  const secrets = showOnce(visit, envFileName(deps.environment), shown);
  return framed(visit, text('rotated'), { body: html`!${secrets}<p>${next}</p>` });
}

async function create(
  deps: ConsoleDeps,
  visit: Visit,
  form: URLSearchParams,
): Promise<ConsoleAnswer> {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const { merchantId, actor } = visit;
  const scopes = [...new Set(form.getAll('scope'))];
  if (scopes.length === 0) {
    const found = await readCredentials(deps, merchantId);
    return createPage(visit, found, { fault: text('scopesFault') });
  }
  const needs = { ...deps, ...deps.credentials, actor };
  const seen = Number(form.get('seen') ?? '');
  const created = await createCredentials(needs, merchantId, scopes, seen);
  const secrets = showOnce(visit, envFileName(deps.environment), secretsOf(deps, visit, created));
  return framed(visit, text('createdTitle'), { body: secrets });
}

function secretsOf(
  { credentials, environment }: ConsoleDeps,
  { merchant, now }: Visit,
  made: { readonly username: string; readonly password: string; readonly apiKey: string | null },
): SecretsShown {
  const { name = '', id = '' } = merchant ?? {};
  return {
    comment: `${environment} credentials of ${name} (${id}), made at ${now.toISOString()}`,
    values: {
      BASE_URL: credentials.publicApiUrl,
      AUTH_URL: credentials.publicAuthUrl,
      API_USERNAME: made.username,
      API_PASSWORD: made.password,
      API_KEY: made.apiKey,
    },
  };
}

function envAnswer({ environment }: ConsoleDeps, { comment, values }: SecretsShown): ConsoleAnswer {
  const content = envFile(comment, values);
  return { fileName: envFileName(environment), type: 'text/plain; charset=utf-8', content };
}

/** @throws OperatorFault where the merchant has no such live username */
function liveUsername(
  { language }: Visit,
  { credentials }: CredentialList,
  wanted: string | null,
): string {
  const found = credentials.find(
    ({ username, status }) => status === 'LIVE' && (wanted === null || username === wanted),
  );
  if (found) return found.username;
  throw new OperatorFault(CREDENTIAL_TEXTS[language].text('noUsername'));
}

/** @throws OperatorFault where the merchant has no such live username or API key */
function revocable(
  { language }: Visit,
  { credentials, apiKeys }: CredentialList,
  asked: URLSearchParams,
): Revocable {
  const [username, keyId] = [asked.get('username'), asked.get('key')];
  const isLive = ({ status }: { readonly status: string }) => status === 'LIVE';
  const credential = credentials.filter(isLive).find((each) => each.username === username);
  if (credential) return { member: 'username', id: credential.username, name: credential.username };
  const key = apiKeys.filter(isLive).find(({ id }) => id === keyId);
  if (key) return { member: 'key', id: key.id, name: key.hint };
  throw new OperatorFault(CREDENTIAL_TEXTS[language].text('noUsername'));
}
