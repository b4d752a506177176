import { html } from 'ghtml';
import { relativeText } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { formOf, readForm } from '#console/forms/form-field.ts';
import type { ShownForm } from '#console/forms/render-field.ts';
import { button, type FormPage, formPage } from '#console/forms/render-form.ts';
import type { Act, ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, ConsoleFile, ConsolePage, Visit } from '#console/shell/visit.ts';
import { createCredentials } from '#merchants/credentials/create.ts';
import { type CredentialList, readCredentials } from '#merchants/credentials/list.ts';
import { revokeCredentials } from '#merchants/credentials/revoke.ts';
import { LONGEST_OVERLAP_HOURS, rotateCredentials } from '#merchants/credentials/rotate.ts';
import { listNamedMerchants } from '#merchants/find-named-merchant.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { FULL_SCOPE, SCOPES, type Scope } from '#merchants/scopes.ts';
import { CREDENTIAL_TEXTS, credentialsPath, renderCredentials } from './list-page.ts';
import { COPY_SCRIPTS, envFile, type SecretsShown, secretsOf, showOnce } from './show-once.ts';

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
  routes.act(`${path}/rotate`, CHANGE, rotate);
  routes.page(`${path}/new`, CHANGE, async (deps, visit) =>
    createPage(visit, await list(deps, visit)),
  );
  routes.act(`${path}/new`, CHANGE, create);
  routes.page(`${path}/revoke`, CHANGE, async (deps, visit) =>
    revokePage(visit, revocable(visit, await list(deps, visit), visit.query)),
  );
  routes.act(`${path}/revoke`, CHANGE, async (deps, visit, form) => {
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

/** A working day on each side of the change: long enough to roll out, short enough to matter. */
const USUAL_OVERLAP_HOURS = '24';

/** How long the current credentials go on; the form names the newest key that it saw. */
export function rotateFields(visit: Visit, { apiKeys }: CredentialList, username: string) {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const most = LONGEST_OVERLAP_HOURS;
  return formOf(
    { name: 'username', kind: 'hidden', value: username },
    { name: 'seen', kind: 'hidden', value: apiKeys[0]?.id },
    {
      name: 'overlap',
      kind: 'whole',
      label: text('overlap'),
      hint: text('overlapHint', { most }),
      fault: text('hoursFault', { most }),
      value: USUAL_OVERLAP_HOURS,
      most,
      isRequired: true,
    },
  );
}

export function rotatePage(
  visit: Visit,
  found: CredentialList,
  username: string,
  shown: ShownForm = {},
): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const onPage = button(text('rotateShow'), { name: 'as', value: 'page' });
  const asFile = button(text('rotateFile'), { kind: 'quiet', name: 'as', value: 'file' });
  return framed(visit, {
    title: text('rotateTitle'),
    under: text('rotateLead', { username }),
    ...shown,
    items: rotateFields(visit, found, username),
    buttons: html`!${onPage} !${asFile}`,
  });
}

const NARROWEST_FIRST: readonly Scope[] = [
  ...SCOPES.filter((scope) => scope !== FULL_SCOPE),
  FULL_SCOPE,
];

/** The scopes of another username: none is ticked, since it is for fewer rights. */
export function createFields(visit: Visit, { credentials }: CredentialList) {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  return formOf(
    { name: 'seen', kind: 'hidden', value: `${credentials.length}` },
    {
      name: 'scope',
      kind: 'boxes',
      label: text('scopes'),
      fault: text('scopesFault'),
      isRequired: true,
      options: NARROWEST_FIRST.map((scope) => [
        scope,
        html`<span>${text(`scope.${scope}`)} <code class="small">${scope}</code></span>`,
      ]),
    },
  );
}

export function createPage(
  visit: Visit,
  found: CredentialList,
  shown: ShownForm = {},
): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  return framed(visit, {
    title: text('createTitle'),
    under: text('createLead'),
    ...shown,
    items: createFields(visit, found),
    buttons: button(text('create')),
  });
}

/** The username or API key that a person wants to revoke, as the list shows it. */
export interface Revocable {
  readonly member: 'username' | 'key';
  readonly id: string;
  /** The username, or the first characters of the key. */
  readonly name: string;
  /** An instant; null: it was never used. */
  readonly lastUse: string | null;
}

/** Asks once more: a revocation is for good. */
export function revokePage(visit: Visit, { member, id, name, lastUse }: Revocable): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const next = text(member === 'key' ? 'revokeKeyNext' : 'revokeUsernameNext');
  return framed(visit, {
    title: text(member === 'key' ? 'revokeKey' : 'revokeUsername', { name }),
    lead: html`<p>${next}</p><p><strong>${
      lastUse === null
        ? text('unused')
        : text('lastUsed', { when: relativeText(visit, new Date(lastUse)) })
    }</strong></p>`,
    items: [{ name: member, kind: 'hidden', value: id }],
    buttons: button(text('confirm'), { kind: 'danger' }),
  });
}

/** A page below the list, with a way back. */
export function framed(visit: Visit, page: Omit<FormPage, 'back'>): ConsolePage {
  const name = CREDENTIAL_TEXTS[visit.language].text('title');
  const back = { href: `/console${credentialsPath(visit.merchantId)}`, name };
  return formPage(visit, { ...page, back });
}

/**
 * The person's merchants, and the values of one that code of the documentation shows: none is a
 * secret. A person who may not read the credentials gets neither username nor API key.
 */
async function docsValues(deps: ConsoleDeps, visit: Visit): Promise<ConsoleFile> {
  const ids = visit.viewer.grants.flatMap(({ merchantId }) => merchantId ?? []);
  const merchants = await listNamedMerchants(deps.db, [...new Set(ids)]);
  const asked = visit.query.get('merchant');
  const merchant = merchants.find(({ id }) => id === asked) ?? merchants[0];
  const values = merchant
    ? { ...merchant, ...(await credentialsOf(deps, visit, merchant.id)) }
    : null;
  const content = JSON.stringify({ merchants, values });
  return { fileName: 'docs-values.json', type: 'application/json', content, isInline: true };
}

async function credentialsOf(deps: ConsoleDeps, visit: Visit, merchantId: string) {
  if (!visit.can('credentials.read', merchantId)) return { username: null, apiKey: null };
  const { credentials, apiKeys } = await readCredentials(deps, merchantId);
  const key = apiKeys.find(({ status }) => status === 'LIVE');
  return {
    username: credentials.find(({ status }) => status === 'LIVE')?.username ?? null,
    apiKey: key ? `${key.hint}…` : null,
  };
}
