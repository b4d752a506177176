import { html } from 'ghtml';
import { copyField, copyStatus, facts } from '#console/components/parts.ts';
import { instant } from '#console/components/values.ts';
import { formOf } from '#console/forms/form-field.ts';
import { button, formPage } from '#console/forms/render-form.ts';
import type { Act } from '#console/shell/console-routes.ts';
import type { ConsolePage, ConsoleRedirect, Visit } from '#console/shell/visit.ts';
import { changeDeps, type WebhookPagesDeps } from '#console/webhooks/deps.ts';
import { merchantHref } from '#console/webhooks/paths.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { testEndpoint } from '#webhooks/deliveries/send-test.ts';
import { editEndpoint } from '#webhooks/endpoints/edit-by-form.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import { removeEndpoint } from '#webhooks/endpoints/remove.ts';
import { rotateSecret } from '#webhooks/endpoints/rotate-secret.ts';
import { type EndpointSecrets, showEndpointSecrets } from '#webhooks/endpoints/show-secrets.ts';
import { readEndpointHealth } from '#webhooks/inspection/read-endpoint-health.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { endpointFacts } from './endpoint-page.ts';

/** Pauses or resumes an endpoint. */
export async function setStatus(
  deps: WebhookPagesDeps,
  visit: Visit,
  status: 'ACTIVE' | 'PAUSED',
): Promise<ConsoleRedirect> {
  const { merchantId, params, actor } = visit;
  const id = params.id ?? '';
  await editEndpoint(changeDeps(deps, actor), merchantId, id, { status }, () => []);
  const done = status === 'ACTIVE' ? 'endpointResumed' : 'endpointPaused';
  return { to: merchantHref(visit, 'endpoints', id), done };
}

/** Deletes an endpoint, after the page that asked for it. */
export async function remove(deps: WebhookPagesDeps, visit: Visit): Promise<ConsoleRedirect> {
  const { merchantId, params, actor } = visit;
  const change = changeDeps(deps, actor);
  await deps.db.transaction((tx) => removeEndpoint(tx, change, merchantId, params.id ?? ''));
  return { to: merchantHref(visit, 'endpoints'), done: 'endpointDeleted' };
}

/** Sends a test event; its page shows the answer as soon as there is one. */
export async function sendTest(deps: WebhookPagesDeps, visit: Visit): Promise<ConsoleRedirect> {
  const { db, webhooks } = deps;
  const { merchantId, params, actor, merchant } = visit;
  const delivery = await db.transaction(async (tx) => {
    const named = { id: merchantId, name: merchant?.name ?? merchantId };
    const sent = await testEndpoint(tx, webhooks, named, params.id ?? '');
    await recordAct(tx, { clock: webhooks.clock, actor }, 'WEBHOOK_TEST_SENT', merchantId, {
      endpointId: sent.endpointId,
      deliveryId: sent.id,
    });
    return sent;
  });
  webhooks.wakeSenders();
  return { to: merchantHref(visit, 'deliveries', delivery.id), done: 'test' };
}

/** Says what a deletion ends, and asks for it. */
export async function showDeletion({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text, rich } = ENDPOINT_ACT_TEXTS[visit.language];
  const { merchantId, params } = visit;
  const { endpoint, health } = await readEndpointHealth(db, merchantId, params.id ?? '');
  const url = { html: html`<code>${endpoint.url}</code>` };
  const owed = text('deleteOwed', { count: health.pending });
  return formPage(visit, {
    title: text('deleteTitle'),
    back: { href: merchantHref(visit, 'endpoints', endpoint.id), name: text('endpoint') },
    lead: html`<p>!${rich('deleteLead', { url })}</p>
!${health.pending > 0 ? html`<p class="notice bad">${owed}</p>` : ''}<p>${text('deleteKept')}</p>
`,
    items: [],
    buttons: button(text('deleteGo'), { kind: 'danger' }),
  });
}

/** The usual day, and what teams ask for; the API takes any number of hours up to a week. */
const OVERLAPS = [24, 1, 72, 168, 0];

function rotationFields({ language }: Visit, endpoint: WebhookEndpoint) {
  const { text } = ENDPOINT_ACT_TEXTS[language];
  const words = (hours: number) => (hours === 0 ? text('overlapNone') : text('hours', { hours }));
  const label = html`${text('force')}`;
  const force = { name: 'force', kind: 'check', label, isRequired: true } as const;
  const overlap = {
    name: 'overlap',
    kind: 'choice',
    label: text('overlap'),
    value: '24',
    options: OVERLAPS.map((hours) => [`${hours}`, html`${words(hours)}`] as const),
  } as const;
  if (endpoint.previousSigningSecretUntil === null) return formOf(overlap);
  return formOf(overlap, html`<p class="notice warning">${text('running')}</p>`, force);
}

/** Asks for how long both secrets sign. */
export async function showRotation({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = ENDPOINT_ACT_TEXTS[visit.language];
  const endpoint = await findOwnEndpoint(db, visit.merchantId, visit.params.id ?? '');
  return formPage(visit, {
    title: text('rotateTitle'),
    back: { href: merchantHref(visit, 'endpoints', endpoint.id), name: text('endpoint') },
    scripts: ['console-countdown'],
    lead: html`<p>${text('rotateLead')}</p>
!${endpointFacts(visit, endpoint)}`,
    items: rotationFields(visit, endpoint),
    buttons: button(text('rotateGo')),
  });
}

/** Rotates the signing secret; the page of the secrets shows the new one. */
export const rotate: Act = async (deps, visit, form) => {
  const { merchantId, params, actor } = visit;
  const asked = Number(form.get('overlap') ?? '');
  const overlapHours = OVERLAPS.includes(asked) ? asked : undefined;
  const isForced = form.get('force') === 'yes';
  const rotation = { id: params.id ?? '', overlapHours, isForced, faults: [] };
  const change = changeDeps(deps, actor);
  await deps.db.transaction((tx) => rotateSecret(tx, change, merchantId, rotation));
  return { to: merchantHref(visit, 'endpoints', rotation.id, 'secrets'), done: 'rotated' };
};

/** Asks before it shows: a page that was opened by mistake shows no secret, and records nothing. */
export async function askForSecrets({ db }: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = ENDPOINT_ACT_TEXTS[visit.language];
  const { id, url } = await findOwnEndpoint(db, visit.merchantId, visit.params.id ?? '');
  return formPage(visit, {
    title: text('secretsTitle'),
    back: { href: merchantHref(visit, 'endpoints', id), name: text('endpoint') },
    lead: html`!${facts([[text('url'), html`<code>${url}</code>`]])}
<p>${text('secretsLead')}</p>
`,
    items: [],
    buttons: button(text('secretsGo')),
  });
}

/** Shows the secrets once; the audit log names the reader. */
export async function showSecrets(deps: WebhookPagesDeps, visit: Visit): Promise<ConsolePage> {
  const { text } = ENDPOINT_ACT_TEXTS[visit.language];
  const { merchantId, params, actor } = visit;
  const change = changeDeps(deps, actor);
  const secrets = await deps.db.transaction((tx) =>
    showEndpointSecrets(tx, change, merchantId, params.id ?? ''),
  );
  return {
    title: text('secretsTitle'),
    head: {
      under: html`${text('secretsShown')}`,
      back: { href: merchantHref(visit, 'endpoints', secrets.id), name: text('endpoint') },
    },
    scripts: ['copy-fields'],
    body: secretFacts(visit, secrets) + copyStatus(visit),
  };
}

function secretFacts(visit: Visit, secrets: EndpointSecrets): string {
  const { text, rich } = ENDPOINT_ACT_TEXTS[visit.language];
  const { url, username, password, signingSecret, previousSigningSecret } = secrets;
  const copied = (id: string, label: string, value: string) =>
    copyField(visit, { id, label, value });
  const until = { html: instant(visit, secrets.previousSecretEndsAt) };
  const variables = `LISTENER_USERNAME=${username}
LISTENER_PASSWORD=${password}
SIGNING_SECRET=${signingSecret}`;
  const list = facts([
    [text('url'), html`<code>${url}</code>`],
    [text('username'), copied('username', text('username'), username)],
    [text('password'), copied('password', text('password'), password)],
    [text('secret'), copied('secret', text('secret'), signingSecret)],
    [
      text('previous'),
      previousSigningSecret &&
        html`!${copied('previous', text('previous'), previousSigningSecret)}
!${rich('previousUntil', { until })}`,
    ],
  ]);
  const block = copyField(visit, {
    id: 'variables',
    label: text('asEnvironment'),
    value: variables,
    isBlock: true,
  });
  return html`<section class="card secrets">!${list}</section>
<section class="card"><h2>${text('asEnvironment')}</h2>!${block}</section>`;
}

export const ENDPOINT_ACT_TEXTS = pageTexts('console.webhooks.endpoints.acts');
