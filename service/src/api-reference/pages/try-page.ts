import { html } from 'ghtml';
import { columns, developerPage, groupedMenu, methodMark } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import { authOf } from '../call-examples/describe-call.ts';
import { type Parameter, type ReferenceDocument, resolve } from '../document-types.ts';
import type { Entry } from '../list-entries.ts';
import { addressOf, breakable, groupsOf, linkTo, type Overview } from './layout.ts';
import { typeOf } from './schema-members.ts';

/** The page on which a developer sends calls to the sandbox: a form for each call. */
export function tryPage({ document, entries, publicAuthUrl }: Overview): Page {
  const calls = entries.filter(({ isWebhook }) => !isWebhook);
  const forms = groupsOf(calls).map(
    ([tag, members]) =>
      html`<h2>${tag}</h2>` + members.map((entry) => formOf(document, entry)).join('\n'),
  );
  return developerPage({
    section: 'try',
    isSandbox: true,
    title: 'Try calls',
    scripts: ['try-calls'],
    body: columns({
      label: 'Calls',
      menu: groupedMenu(calls.map((each) => ({ ...linkTo(each), address: `#${each.id}` }))),
      text: html`<h1>Try calls</h1>
<p class="lead">Send calls to this sandbox from your browser: no money moves.</p>
<noscript><p>A script sends the calls. Without it, use the examples of the
<a href="/docs">reference</a>.</p></noscript>
<form id="credentials" data-token-url="${publicAuthUrl}" autocomplete="off">
<h2>Your credentials</h2>
<p>They stay in this page, and are gone when you leave it. The page gets the access token by
itself.</p><div class="fields">!${CREDENTIALS.map(credentialField).join('\n')}</div></form>
!${forms.join('\n')}!${ANSWER}`,
    }),
  });
}

const CREDENTIALS = [
  ['username', 'Username', 'text'],
  ['password', 'Password', 'password'],
  ['apiKey', 'API key', 'password'],
] as const;

function credentialField([name, label, type]: (typeof CREDENTIALS)[number]): string {
  const own = name === 'username' ? ' data-own="username"' : '';
  return html`<label>${label}<input name="${name}" type="${type}"!${own} autocomplete="off"
 spellcheck="false"></label>`;
}

/** The script fills a copy in for each answer. */
const ANSWER = `<template><div class="answer"><p role="status"></p>
<div data-part="body" class="code"><pre tabindex="0"><code></code></pre></div>
<details data-part="headers"><summary>Headers of the answer</summary>
<div class="code"><pre tabindex="0"><code></code></pre></div></details>
<details data-part="curl"><summary>The call with curl</summary>
<div class="code"><pre tabindex="0"><code></code></pre></div></details></div></template>`;

function formOf(document: ReferenceDocument, entry: Entry): string {
  const { id, method, path, summary, call } = entry;
  const [type = '', body] = Object.entries(call.requestBody?.content ?? {})[0] ?? [];
  const [example] = Object.values(body?.examples ?? {});
  const parameters = (call.parameters ?? [])
    .map((each) => resolve<Parameter>(document, each))
    .filter(({ name }) => name !== 'X-Request-Id');
  const { required = [], optional = [] } = Object.groupBy(parameters, (each) =>
    each.required ? 'required' : 'optional',
  );
  const fields = (shown: readonly Parameter[]) =>
    html`<div class="fields">!${shown.map((each) => fieldOf(document, each)).join('\n')}</div>`;
  const more = html`<details><summary>Optional parameters (${optional.length})</summary>
!${fields(optional)}</details>`;
  const origin = (call.servers ?? document.servers)[0]?.url ?? '';
  return html`<details class="call" id="${id}" name="call"><summary>!${methodMark(
    method,
  )} ${summary} <code>!${breakable(path)}</code></summary>
<form data-method="${method}" data-url="${origin}${path}" data-auth="${authOf(entry)}"
 data-type="${type}">!${fields(required)}
!${body ? bodyField(type, example?.value) : ''}!${optional.length > 0 ? more : ''}
<p class="actions"><button class="button" disabled>Send</button>
<a href="${addressOf(entry)}">Reference</a></p></form></details>`;
}

function fieldOf(document: ReferenceDocument, parameter: Parameter): string {
  const { name, required, schema, example = '' } = parameter;
  const mark = required ? ' required' : '';
  const value = required ? String(example) : '';
  return html`<label>${name} <span class="type">${typeOf(document, schema)}</span>
<input name="${name}" data-in="${parameter.in}"!${mark} value="${value}"></label>`;
}

function bodyField(type: string, value: unknown): string {
  const text = type.endsWith('json')
    ? JSON.stringify(value ?? {}, null, 2)
    : new URLSearchParams(value as Record<string, string>).toString();
  const rows = text.split('\n').length + 1;
  return html`<label>Body <span class="type">${type}</span>
<textarea name="body" rows="${rows}" spellcheck="false">${text}</textarea></label>`;
}
