import { html } from 'ghtml';
import { copyField, copyStatus, facts } from '#console/components/parts.ts';
import { instant } from '#console/components/values.ts';
import { button, formPage } from '#console/forms/render-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import { type EndpointSecrets, showEndpointSecrets } from '#webhooks/endpoints/show-secrets.ts';
import { changeDeps, type WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';
import { ENDPOINT_ACT_TEXTS } from './act-texts.ts';

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
