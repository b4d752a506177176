import { STATUS_CODES } from 'node:http';
import { html } from 'ghtml';
import { valueBlock } from '#http/pages/code-block.ts';
import { methodMark, neighbours } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { problemName } from '#http/problems/responses.ts';
import { PROBLEM_CODES } from '#lib/problem.ts';
import { callTabs } from '../call-examples/call-tabs.ts';
import {
  type DocumentedAnswer,
  type Example,
  type Parameter,
  PROBLEM_TYPE,
  type ReferenceDocument,
  resolve,
  type Schema,
} from '../document-types.ts';
import type { Entry } from '../list-entries.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { addressOf, breakable, linkTo, type Overview, referencePage } from './layout.ts';
import { limitsOf, membersOf, typeOf } from './schema-members.ts';

/** The page of one call: its examples beside its parameters, body, answers and problems. */
export function operationPage(overview: Overview, entry: Entry): Page {
  const { document, entries, isSandbox } = overview;
  const { method, path, summary, call, isWebhook } = entry;
  const text = renderMarkdown(call.description ?? '', { addressOf: (href) => href });
  const canTry = isSandbox && !isWebhook;
  return referencePage({
    title: summary,
    isSandbox,
    entries,
    current: entry,
    text: html`<p class="crumbs"><a href="/docs">API reference</a> · ${entry.tag}</p>
<h1>${summary}</h1>
<p class="path">!${methodMark(method)} <code>!${breakable(path)}</code>
!${canTry ? html`<a class="button quiet" href="/docs/try#${entry.id}">Try it</a>` : ''}</p>
!${text}
!${isWebhook ? WEBHOOK_NOTE : needsOf(entry)}`,
    beside: examplesOf(overview, entry),
    more: html`!${parametersOf(document, entry)}
!${bodyOf(document, entry)}
!${answersOf(document, entry)}
!${problemsOf(entry)}
!${neighbours(entries.map(linkTo), addressOf(entry))}`,
  });
}

const WEBHOOK_NOTE = html`<p>The service makes this call to your listener, with the listener’s
username and password as HTTP Basic.</p>`;

function needsOf({ call: { security = [] } }: Entry): string {
  const [first] = security;
  if (!first) return '<p>This call needs no credentials.</p>';
  if ('clientCredentials' in first) {
    return '<p>Send your username and password as HTTP Basic, or in the form.</p>';
  }
  const scopes = security.flatMap(({ accessToken = [] }) => accessToken);
  const codes = [...new Set(scopes)].map((scope) => html`<code>${scope}</code>`);
  return html`<p>Needs your API key, and an <a href="/docs/createAccessToken">access token</a> of
the scope !${codes.join(' or ')}.</p>`;
}

function parametersOf(document: ReferenceDocument, { call }: Entry): string {
  const parameters = (call.parameters ?? []).map((each) => resolve<Parameter>(document, each));
  if (parameters.length === 0) return '';
  const lines = parameters.map((parameter) => parameterLine(document, parameter));
  return html`<section><h2>Parameters</h2><ul class="members">!${lines.join('\n')}</ul></section>`;
}

function parameterLine(document: ReferenceDocument, parameter: Parameter): string {
  const { name, required, description, schema } = parameter;
  const limits = limitsOf(resolve(document, schema));
  return html`<li><code class="name">${name}</code>
<span class="type">${parameter.in} · ${typeOf(document, schema)}${limits && ` · ${limits}`}</span>
!${required ? '<span class="required">required</span>' : ''}
!${renderMarkdown(description ?? '', { addressOf: (href) => href })}</li>`;
}

/** The first example of the call and of its answer stand open; a reader unfolds the others. */
function examplesOf(overview: Overview, entry: Entry): string {
  const { call, isWebhook } = entry;
  const [body] = Object.values(call.requestBody?.content ?? {});
  const bodies = Object.values(body?.examples ?? {});
  if (isWebhook) return html`<h2>Example</h2>!${foldedExamples(bodies)}`;
  const [first, ...others] = bodies;
  const answers = Object.entries(call.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content)
      .filter(([type]) => type !== PROBLEM_TYPE)
      .flatMap(([, { examples }]) => Object.values(examples ?? {}))
      .map(({ summary = 'Example', value }) => ({ summary: `${status}: ${summary}`, value })),
  );
  return html`<h2>Example</h2>!${first?.summary ? html`<p>${first.summary}:</p>` : ''}
!${callTabs(overview, entry)}
!${others.map(foldedExample).join('\n')}
!${answers.length > 0 ? html`<h2>Answer</h2>!${foldedExamples(answers)}` : ''}`;
}

function bodyOf(document: ReferenceDocument, { call: { requestBody } }: Entry): string {
  const types = Object.keys(requestBody?.content ?? {});
  const [body] = Object.values(requestBody?.content ?? {});
  if (!body) return '';
  const names = types.map((type) => html`<code>${type}</code>`).join(' or ');
  return html`<section><h2>Body</h2>
<p>!${names}!${requestBody?.required === false ? '; may be left out' : ''}</p>
!${membersOf(document, body.schema)}</section>`;
}

function foldedExamples([first, ...others]: readonly Example[]): string {
  if (!first) return '';
  return html`<p>${first.summary ?? 'Example'}:</p>!${valueBlock(first.value)}
!${others.map(foldedExample).join('\n')}`;
}

function foldedExample({ summary = 'Example', value }: Example): string {
  return html`<details><summary>${summary}</summary>!${valueBlock(value)}</details>`;
}

/** The answers that are no problem documents, by status. */
function answersOf(document: ReferenceDocument, { call, isWebhook }: Entry): string {
  const answers = Object.entries(call.responses)
    .filter(([, { content = { none: {} } }]) => isWebhook || !(PROBLEM_TYPE in content))
    .toSorted(([one], [other]) => one.localeCompare(other));
  const sections = answers.map(([status, answer]) => answerOf(document, status, answer));
  const title = isWebhook ? 'Your answer' : 'Answers';
  return html`<section><h2>${title}</h2>!${sections.join('\n')}</section>`;
}

function answerOf(document: ReferenceDocument, status: string, answer: DocumentedAnswer): string {
  const bodies = Object.entries(answer.content ?? {}).filter(([type]) => type !== PROBLEM_TYPE);
  const headers = Object.entries(answer.headers ?? {}).map(([name, reference]) => {
    const { description } = resolve<{ description: string }>(document, reference);
    return html`<li><code class="name">${name}</code><p>${description}</p></li>`;
  });
  const contents = bodies.map(([type, { schema }]) => contentOf(document, type, schema));
  const folded = html`<details><summary>Headers</summary><ul class="members">
!${headers.join('\n')}</ul></details>`;
  return html`<h3>${status} ${STATUS_CODES[status] ?? ''}</h3><p>${answer.description}</p>
!${headers.length > 0 ? folded : ''}
!${contents.join('\n')}`;
}

function contentOf(document: ReferenceDocument, type: string, schema: Schema): string {
  const members = membersOf(document, schema);
  const folded = html`<details><summary>Members</summary>!${members}</details>`;
  return html`<p><code>${type}</code>: ${typeOf(document, schema)}</p>!${members && folded}`;
}

function problemsOf({ call }: Entry): string {
  const lines = Object.entries(call.responses).flatMap(([status, { content }]) => {
    const codes = Object.keys(content?.[PROBLEM_TYPE]?.examples ?? {});
    if (codes.length === 0) return [];
    const links = PROBLEM_CODES.filter((code) => codes.includes(code)).map(
      (code) => html`<li><a href="/problems/${problemName(code)}"><code>${code}</code></a>
${PROBLEMS[code].title}</li>`,
    );
    return html`<div class="by-status"><h3>${status} ${STATUS_CODES[status] ?? ''}</h3>
<ul>!${links.join('')}</ul></div>`;
  });
  return lines.length === 0
    ? ''
    : html`<section><h2>Problems</h2><p>Each page says what the problem means and what to do.</p>
!${lines.join('\n')}</section>`;
}
