import { html } from 'ghtml';
import type { Page } from '#http/pages/page.ts';
import type { Guide } from './render-guide.ts';

const MARK = `<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false" fill="none"
 stroke="currentColor" stroke-width="2" stroke-linejoin="round"><path
 d="M14 7c-2.5-2-6-2.5-11-2.5v16c5 0 8.5.5 11 2.5 2.5-2 6-2.5 11-2.5v-16c-5 0-8.5.5-11 2.5zm0
 0v16"/></svg>`;

/** Wider than a payer's page, so that code of a hundred columns needs little scrolling. */
const STYLE = `
.bar > div, main { max-width: 60rem; }
h2 { margin-top: 2.25rem; font-size: 1.375rem; }
h3 { margin: 1.75rem 0 .4rem; font-size: 1.0625rem; }
ul, ol { margin: 0 0 1rem; padding-left: 1.4rem; }
li { margin-bottom: .35rem; }
pre { margin: 0 0 1rem; font-size: .875rem; line-height: 1.5; }
.scroll { margin: 0 0 1rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; min-width: 36rem; font-size: .9375rem; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line);
  text-align: left; vertical-align: top; overflow-wrap: normal; }
td code { overflow-wrap: normal; }
li:has(> .box) { list-style: none; margin-left: -1.4rem; }
li > p { margin: 0; }
nav { margin: 0 0 1.5rem; font-size: .9375rem; }
`
  .replace(/\s+/g, ' ')
  .trim();

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
