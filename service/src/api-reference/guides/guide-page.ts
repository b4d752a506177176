import { html } from 'ghtml';
import type { Page } from '#http/pages/page.ts';
import { readStyle } from '#http/pages/style.ts';
import type { Guide } from './render-guide.ts';

const MARK = `<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false" fill="none"
 stroke="currentColor" stroke-width="2" stroke-linejoin="round"><path
 d="M14 7c-2.5-2-6-2.5-11-2.5v16c5 0 8.5.5 11 2.5 2.5-2 6-2.5 11-2.5v-16c-5 0-8.5.5-11 2.5zm0
 0v16"/></svg>`;

/** Wider than a payer's page, so that code of a hundred columns needs little scrolling. */
const STYLE = readStyle('docs/guides');

const LOOK = { brand: 'Payment Requests API', mark: MARK, style: STYLE } as const;

/** For developers: in English only. */
export function guidePage({ name, title, body }: Guide): Page {
  const toIndex = name === '' ? '' : '<a href="/docs/guides">All guides</a> · ';
  return {
    language: 'en',
    languages: ['en'],
    title: name === '' ? 'Guides: Payment Requests API' : `${title}: guides`,
    look: LOOK,
    body: html`<nav aria-label="Documentation">!${toIndex}<a href="/docs">API reference</a> ·
<a href="/problems">Problems</a></nav>
<h1>${title}</h1>
!${body}`,
  };
}
