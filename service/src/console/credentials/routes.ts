import { html } from 'ghtml';
import { relativeText } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { readForm } from '#console/forms/read-form.ts';
import type { Act, ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, Visit } from '#console/shell/visit.ts';
import { createCredentials } from '#merchants/credentials/create.ts';
import { type CredentialList, readCredentials } from '#merchants/credentials/list.ts';
import { revokeCredentials } from '#merchants/credentials/revoke.ts';
import { rotateCredentials } from '#merchants/credentials/rotate.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { docsValues } from './docs-values.ts';
import {
  createFields,
  createPage,
  framed,
  type Revocable,
  revokePage,
  rotateFields,
  rotatePage,
} from './forms.ts';
import { credentialsPath, renderCredentials } from './list-page.ts';
import { COPY_SCRIPTS, envFile, type SecretsShown, secretsOf, showOnce } from './show-once.ts';
import { CREDENTIAL_TEXTS } from './texts.ts';

const HOUR_MS = 3_600_000;
const READ = 'credentials.read';
const CHANGE = 'credentials.change';

/** A merchant's usernames and API keys: list, rotate, create, revoke. */
export function registerCredentialPages(routes: ConsoleRoutes): void {
  routes.page('/docs-values', 'home.read', docsValues);
  const path = '/m/:merchant/credentials';
  const list = (deps: ConsoleDeps, { merchantId }: Visit) => readCredentials(deps, merchantId);
  routes.page(path, READ, async (deps, visit) => renderCredentials(visit, await list(deps, visit)));
  routes.page(`${path}/rotate`, CHANGE, async (deps, visit) => {
    const found = await list(deps, visit);
    return rotatePage(visit, found, liveUsername(visit, found, visit.query.get('username')));
  });
  routes.act(`${path}/rotate`, CHANGE, 'choice', rotate);
  routes.page(`${path}/new`, CHANGE, async (deps, visit) =>
    createPage(visit, await list(deps, visit)),
  );
  routes.act(`${path}/new`, CHANGE, 'choice', create);
  routes.page(`${path}/revoke`, CHANGE, async (deps, visit) =>
    revokePage(visit, revocable(visit, await list(deps, visit), visit.query)),
  );
  routes.act(`${path}/revoke`, CHANGE, 'choice', async (deps, visit, form) => {
    const { merchantId, actor } = visit;
    const { member, id } = revocable(visit, await list(deps, visit), form);
    const what = member === 'key' ? { apiKeyId: id } : { username: id };
    await revokeCredentials({ ...deps, actor }, { merchantId, what });
    return { to: `/console${credentialsPath(merchantId)}`, done: 'revoked' };
  });
}

const rotate: Act = async (deps, visit, form) => {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const { merchantId, actor } = visit;
  const found = await readCredentials(deps, merchantId);
  const username = liveUsername(visit, found, form.get('username'));
  const read = readForm(rotateFields(visit, found, username), form);
  if ('faults' in read) return rotatePage(visit, found, username, { sent: form, ...read });
  const { overlap: overlapHours, seen } = read.values;
  const rotated = await rotateCredentials(
    { ...deps, ...deps.credentials, actor },
    { merchantId, username, overlapHours, seenApiKeyId: seen || null },
  );
  const shown = madeFor(deps, visit, rotated);
  if (form.get('as') === 'file') return envAnswer(shown);
  const end = new Date(visit.now.getTime() + overlapHours * HOUR_MS);
  const next = text('rotatedNext', { when: relativeText(visit, end) });
  return framed(visit, {
    title: text('rotated'),
    scripts: COPY_SCRIPTS,
    lead: html`!${showOnce(visit, shown)}<p>${next}</p>`,
  });
};

const create: Act = async (deps, visit, form) => {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const { merchantId, actor } = visit;
  const found = await readCredentials(deps, merchantId);
  const read = readForm(createFields(visit, found), form);
  if ('faults' in read) return createPage(visit, found, { sent: form, ...read });
  const needs = { ...deps, ...deps.credentials, actor };
  const { scope, seen } = read.values;
  const created = await createCredentials(needs, merchantId, scope, Number(seen));
  const secrets = showOnce(visit, madeFor(deps, visit, created));
  return framed(visit, { title: text('createdTitle'), scripts: COPY_SCRIPTS, lead: secrets });
};

function madeFor(
  deps: ConsoleDeps,
  visit: Visit,
  made: { readonly username: string; readonly password: string; readonly apiKey: string | null },
): SecretsShown {
  const merchant = { id: visit.merchantId, name: visit.merchant?.name ?? '' };
  const { username: API_USERNAME, password: API_PASSWORD, apiKey: API_KEY } = made;
  return secretsOf(deps, visit, merchant, { API_USERNAME, API_PASSWORD, API_KEY });
}

function envAnswer({ fileName, comment, values }: SecretsShown): ConsoleAnswer {
  return { fileName, type: 'text/plain; charset=utf-8', content: envFile(comment, values) };
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
  if (credential) {
    const uses = credential.passwords.map(({ lastUseDateTime }) => lastUseDateTime ?? '');
    const name = credential.username;
    return { member: 'username', id: name, name, lastUse: uses.toSorted().at(-1) || null };
  }
  const key = apiKeys.filter(isLive).find(({ id }) => id === keyId);
  if (key) return { member: 'key', id: key.id, name: key.hint, lastUse: key.lastUseDateTime };
  throw new OperatorFault(CREDENTIAL_TEXTS[language].text('noUsername'));
}
