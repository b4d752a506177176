import { STATUS_CODES } from 'node:http';
import { html } from 'ghtml';
import type { ProblemDescription } from '#http/problems/description.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { problemName } from '#http/problems/responses.ts';
import { PROBLEM_CODES, type ProblemCode } from '#lib/problem.ts';
import { valueBlock } from './code-block.ts';
import {
  columns,
  developerPage,
  groupedMenu,
  type MenuLink,
  neighbours,
} from './developer-page.ts';
import type { Page } from './page.ts';

/** The same address answers in JSON. */

const BY_STATUS = [...Map.groupBy(PROBLEM_CODES, (code) => PROBLEMS[code].status)].sort(
  ([one], [other]) => one - other,
);
const LINKS = BY_STATUS.flatMap(([, codes]) => codes.map(linkTo));

function linkTo(code: ProblemCode): MenuLink {
  const { title, status } = PROBLEMS[code];
  return { address: `/problems/${problemName(code)}`, title, group: nameOf(status) };
}

function nameOf(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`;
}

/** The list of all problems, by status. */
export function problemListPage(isSandbox: boolean): Page {
  const statuses = BY_STATUS.map(([status]) => ({
    address: `#${status}`,
    title: nameOf(status),
    group: 'By status',
  }));
  return developerPage({
    section: 'problems',
    isSandbox,
    title: 'Problems',
    body: columns({
      label: 'Statuses',
      menu: groupedMenu(statuses),
      text: html`<h1>Problems</h1>
<p class="lead">Every refusal is a problem document (RFC 9457), and its type leads to one of these
pages.</p>
<p>Decide by <code>code</code>, never by the words: they may change. New codes may be added; treat
one that you do not know by its status. The calls are in the
<a href="/docs">API reference</a>.</p>
<p class="filter" hidden><label>Find a problem <input type="search" autocomplete="off"
 placeholder="Word or code"></label> <span role="status"></span></p>
!${BY_STATUS.map(statusSection).join('\n')}`,
    }),
  });
}

function statusSection([status, codes]: (typeof BY_STATUS)[number]): string {
  const items = codes.map(
    (code) => html`<div><dt><a href="${linkTo(code).address}">${PROBLEMS[code].title}</a>
<code>${code}</code></dt><dd>${PROBLEMS[code].meaning}</dd></div>`,
  );
  return html`<section class="problems" id="${status}"><h2>${nameOf(status)}</h2>
<dl class="stacked">!${items.join('\n')}</dl></section>`;
}

/** The page of one problem: what it means, what to do, and how it looks. */
export function problemPage(problem: ProblemDescription, isSandbox: boolean): Page {
  const { code, status, title, meaning, remedy, headers, fieldCodes, example } = problem;
  const withHeaders = headers.map((name) => html`<code>${name}</code>`).join(', ');
  const { address } = linkTo(code);
  return developerPage({
    section: 'problems',
    isSandbox,
    title: `${title} (${code})`,
    body: columns({
      label: 'Problems',
      menu: groupedMenu(LINKS, address),
      text: html`<p class="crumbs"><a href="/problems">All problems</a> · ${nameOf(status)}</p>
<h1>${title}</h1>
<dl>
<dt>Code</dt><dd><code>${code}</code></dd>
<dt>Status</dt><dd>${nameOf(status)}</dd>
!${withHeaders && `<dt>Comes with</dt><dd>${withHeaders}</dd>`}
</dl>
<section><h2>What it means</h2><p>${meaning}</p></section>
<section><h2>What to do</h2><p>${remedy}</p></section>`,
      beside: html`<h2>An example</h2>!${valueBlock(example)}`,
      more: html`!${fieldCodes ? fieldCodesSection(fieldCodes) : ''}
<p><a href="/docs?q=${code}">Calls that answer it</a></p>!${neighbours(LINKS, address)}`,
    }),
  });
}

function fieldCodesSection(codes: NonNullable<ProblemDescription['fieldCodes']>): string {
  const items = codes.map(
    ({ code, meaning }) => html`<dt><code>${code}</code></dt><dd>${meaning}</dd>`,
  );
  return html`<section><h2>Codes of fields</h2><dl>!${items.join('\n')}</dl></section>`;
}
