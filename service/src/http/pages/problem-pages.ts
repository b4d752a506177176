import { STATUS_CODES } from 'node:http';
import { html } from 'ghtml';
import type { ProblemDescription } from '#http/problems/description.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { problemName } from '#http/problems/responses.ts';
import { PROBLEM_CODES, type ProblemCode } from '#lib/problem.ts';
import { valueBlock } from './code-block.ts';
import { developerPage } from './developer-page.ts';
import type { Page } from './page.ts';

/** The same address answers in JSON. */
const OF_PROBLEMS = { section: 'problems', vary: 'Accept' } as const;

/** The list of all problems, by status. */
export function problemListPage(isSandbox: boolean): Page {
  const statuses = [...new Set(PROBLEM_CODES.map((code) => PROBLEMS[code].status))].sort(
    (one, other) => one - other,
  );
  return developerPage({
    ...OF_PROBLEMS,
    isSandbox,
    title: 'Problems',
    body: html`<h1>Problems</h1>
<p class="lead">Every refusal is a problem document (RFC 9457), and its type leads to one of these
pages.</p>
<p>Decide by <code>code</code>, never by the words: they may change. New codes may be added; treat
one that you do not know by its status. The calls are in the
<a href="/docs">API reference</a>.</p>
!${statuses.map(statusSection).join('\n')}`,
  });
}

function statusSection(status: number): string {
  const items = PROBLEM_CODES.filter((code) => PROBLEMS[code].status === status).map(listItem);
  return html`<section><h2>${status} ${STATUS_CODES[status] ?? ''}</h2>
<dl class="stacked">!${items.join('\n')}</dl></section>`;
}

function listItem(code: ProblemCode): string {
  return html`<dt><a href="/problems/${problemName(code)}"><code>${code}</code></a></dt>
<dd>${PROBLEMS[code].meaning}</dd>`;
}

/** The page of one problem: what it means, what to do, and how it looks. */
export function problemPage(problem: ProblemDescription, isSandbox: boolean): Page {
  const { code, status, title, meaning, remedy, headers, fieldCodes, example } = problem;
  const withHeaders = headers.map((name) => html`<code>${name}</code>`).join(', ');
  return developerPage({
    ...OF_PROBLEMS,
    isSandbox,
    title: `${title} (${code})`,
    body: html`<h1>${title}</h1>
<dl>
<dt>Code</dt><dd><code>${code}</code></dd>
<dt>Status</dt><dd>${status} ${STATUS_CODES[status] ?? ''}</dd>
!${withHeaders && `<dt>Comes with</dt><dd>${withHeaders}</dd>`}
</dl>
<section><h2>What it means</h2><p>${meaning}</p></section>
<section><h2>What to do</h2><p>${remedy}</p></section>
!${fieldCodes ? fieldCodesSection(fieldCodes) : ''}
<section><h2>An example</h2>!${valueBlock(example)}</section>
<section><p><a href="/docs?q=${code}">Calls that answer it</a> ·
<a href="/problems">All problems</a></p></section>`,
  });
}

function fieldCodesSection(codes: NonNullable<ProblemDescription['fieldCodes']>): string {
  const items = codes.map(
    ({ code, meaning }) => html`<dt><code>${code}</code></dt><dd>${meaning}</dd>`,
  );
  return html`<section><h2>Codes of fields</h2><dl>!${items.join('\n')}</dl></section>`;
}
