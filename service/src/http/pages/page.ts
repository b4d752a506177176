import type { FastifyReply } from 'fastify';
import { html } from 'ghtml';
import { NOT_LISTED, pageHeaders, styleSource } from '#http/headers/security-headers.ts';
import { LANGUAGES, type Language, LOCALES } from '#http/negotiation/choose-language.ts';
import { type PageScript, pageScriptTag } from './scripts.ts';
import { PAGE_STYLE, PAYER_STYLE } from './style.ts';
import { pageTexts } from './texts.ts';

export interface Page {
  readonly language: Language;
  /** Those that the page can be had in; left out: all. */
  readonly languages?: readonly Language[];
  /** The request headers that it hangs on; left out: the language. */
  readonly vary?: string;
  /** The title of the window; the page's own heading is part of `body`. */
  readonly title: string;
  /** HTML that goes into the card. */
  readonly body: string;
  /** Something true of the whole environment, on top of every page: plain text. */
  readonly notice?: string | undefined;
  /** Whose page it is; left out: this service's own. */
  readonly look?: Look;
  /** Scripts that let the page do more where scripts run; the page must work without them. */
  readonly scripts?: readonly PageScript[];
  /** Without script the page is loaded anew this often; left out: never. */
  readonly refreshSeconds?: number;
  /** Parameters that the page keeps in another language, as `name=value`. */
  readonly query?: string;
  /** The form whose fields the page keeps in another language; left out: none. */
  readonly languageForm?: LanguageForm;
}

/** For pages that wait for an outcome: a payer does not wait long, and a server is asked rarely. */
export const WAITING_REFRESH_SECONDS = 10;

/** A form that a switch of the language sends by GET: its fields must hold no secret. */
export interface LanguageForm {
  readonly id: string;
  /** HTML of the form's first submit button, which the Enter key presses. */
  readonly submit: string;
}

/** The name, mark and colours that a page wears. */
export interface Look {
  readonly brand: string;
  /** An SVG. */
  readonly mark: string;
  /** CSS that comes after every page's own. */
  readonly style: string;
  readonly isForDevelopers?: true;
  /** HTML in the header, behind the brand. */
  readonly links?: string;
}

const texts = pageTexts('every-page');

const ICON = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" ' +
    'rx="7" fill="#0e5a75"/><path d="M8 10.5h9.5m0 0-3-3m3 3-3 3M20 17.5h-9.5m0 0 3-3m-3 3 3 3" ' +
    'fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>' +
    '</svg>',
);

/** The mark of this service, an SVG. */
export const PAGE_MARK = `<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false"><rect
 x="1" y="1" width="26" height="26" rx="7" fill="none" stroke="currentColor" stroke-width="2"/><path
 d="M8 10.5h9.5m0 0-3-3m3 3-3 3M20 17.5h-9.5m0 0 3-3m-3 3 3 3" fill="none" stroke="currentColor"
 stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Answers a page for people, with the headers of journey §2. */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return reply
    .code(status)
    .headers({
      ...headersOf(page),
      'content-language': page.language,
      vary: page.vary ?? 'Accept-Language',
    })
    .type('text/html; charset=utf-8')
    .send(renderPage(page, reply.server.cellMark ?? ''));
}

/** Each look and choice of scripts has one entry: a few dozen. */
const headersBySource = new Map<string, ReturnType<typeof pageHeaders>>();

function headersOf({ look, scripts = [] }: Page): ReturnType<typeof pageHeaders> {
  const key = `${scripts.length > 0} ${look?.style ?? ''}`;
  const known = headersBySource.get(key);
  if (known) return known;
  const styles = stylesOf(look).map(styleSource);
  const headers = pageHeaders({
    styles,
    hasScripts: scripts.length > 0,
    isListed: look?.isForDevelopers,
  });
  headersBySource.set(key, headers);
  return headers;
}

/** In the order of the cascade. */
const stylesOf = (look?: Look): string[] =>
  [look?.isForDevelopers ? PAGE_STYLE : PAYER_STYLE, look?.style ?? []].flat();

/** The whole document: works without script, loads nothing from elsewhere. */
function renderPage(page: Page, mark: string): string {
  const { language, title, body, notice, look, scripts = [], refreshSeconds } = page;
  const { text } = texts[language];
  const tags = scripts.map((name) => pageScriptTag(name, mark));
  const aside = notice
    ? html`<aside class="notice" aria-label="${text('notice')}"><p>${notice}</p></aside>`
    : '';
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
!${look?.isForDevelopers ? '' : ROBOTS}
<meta name="color-scheme" content="light dark">
<title>${title}</title>!${refreshSeconds ? refreshTag(refreshSeconds) : ''}
<link rel="icon" href="data:image/svg+xml,!${ICON}">
!${stylesOf(look).map((style) => `<style>${style}</style>`)}
</head>
<body data-locale="${LOCALES[language]}">
<header class="bar"><div>
<p class="brand">!${look?.mark ?? PAGE_MARK}<span>${look?.brand ?? text('brand')}</span></p>
!${look?.links ?? ''}!${languageSwitch(page)}
</div></header>
!${aside}
<main><article class="card">!${body}</article></main>!${tags.join('')}
</body>
</html>
`;
}

const ROBOTS = html`<meta name="robots" content="${NOT_LISTED}">`;

const refreshTag = (seconds: number): string =>
  html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`;

/** Two links fit beside the name of the page on the narrowest phone; more lie in a menu. */
const MOST_LINKS = 2;

/** A link or a button to each other language, in that language; a menu marks the present one. */
function languageSwitch(page: Page): string {
  const { language: current, languages = LANGUAGES, query, languageForm: form } = page;
  const kept = query ? `${query}&` : '';
  const isMenu = languages.length > MOST_LINKS + 1;
  const links = languages
    .filter((language) => isMenu || language !== current)
    .map((language) => {
      const name = texts[language].text('language');
      if (language === current)
        return html`<span aria-current="true" lang="${language}">${name}</span>`;
      return form
        ? html`<button class="link" form="${form.id}" formmethod="get" name="lang"
 value="${language}" lang="${language}">${name}</button>`
        : html`<a href="?${kept}lang=${language}" lang="${language}" hreflang="${language}"
>${name}</a>`;
    });
  const { text } = texts[current];
  // The form's first button is that of the Enter key.
  return html`!${form?.submit ?? ''}!${
    !isMenu
      ? links.join('\n')
      : html`<details class="languages"><summary class="link"><span class="unseen"
>${text('languages')}</span>${text('language')}</summary><div>!${links.join('\n')}</div></details>`
  }`;
}
