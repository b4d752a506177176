import { html } from 'ghtml';
import {
  CONSOLE_LANGUAGES,
  type ConsoleLanguage,
  LOCALES,
} from '#http/negotiation/choose-language.ts';
import { PAGE_MARK } from '#http/pages/page.ts';
import { pageScriptTag } from '#http/pages/scripts.ts';
import type { Environment } from '#lib/environment.ts';
import { pageHead } from './page-head.ts';
import type { Work } from './read-work.ts';
import { SECTIONS, type Section, type SectionFacts } from './sections.ts';
import { STYLE_PATH } from './style.ts';
import { SHELL_TEXTS } from './texts.ts';
import type { ConsolePage, Visit } from './visit.ts';

/** The parts of a page that hang on the call alone. */
export interface Frame {
  readonly environment: Environment;
  /** The host of the console's pages. */
  readonly host: string;
  readonly language: ConsoleLanguage;
  /** The mark of this cell, for the addresses of scripts. */
  readonly cellMark: string;
  /** The query without `lang` and `done`, for the switch of the language. */
  readonly query: string;
  /** null: nobody is signed in. */
  readonly visit: Visit | null;
  /** The numbers of the navigation. */
  readonly work: Work;
}

/** The whole document: works without script, loads nothing from another origin. */
export function renderConsolePage(page: ConsolePage, frame: Frame): string {
  const { title, head, body, section = 'home', scripts = [], notice, hasSearch } = page;
  const { environment, host, language, cellMark, visit, work } = frame;
  const { text } = SHELL_TEXTS[language];
  const shortcuts = visit ? (['console-list', 'console-palette'] as const) : [];
  const tags = ['shown-times' as const, ...shortcuts, ...scripts].map((name) =>
    pageScriptTag(name, cellMark),
  );
  const navigation = visit
    ? renderNavigation(
        { language, shownMerchant: visit.shownMerchant, can: visit.can, work },
        section,
        personOf(visit),
      )
    : '';
  const whose = visit ? '' : html`<p class="whose">${text(`whose.${environment}`, { host })}</p>`;
  const main = html`<main id="content" tabindex="-1">!${whose}
!${notice ? html`<p class="notice" role="status">${notice}</p>` : ''}!${
    head ? pageHead({ title, ...head }) : ''
  }!${body}</main>`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title} – ${text(environment)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body class="${environment}" data-locale="${LOCALES[language]}"!${
    visit ? html` data-zone="${visit.timeZone}"` : ''
  }>
<a class="skip" href="#content">${text('skip')}</a>
!${environment === 'sandbox' ? bannerOf(text('sandbox'), text('sandboxBanner')) : ''}
<header class="bar">!${navigation && menuButton(frame)}
<p class="brand"><a href="/console">!${PAGE_MARK}<span>${text('brand')}</span></a>
<span class="environment">${text(environment)}</span></p>
!${visit && !hasSearch ? searchForm(visit) : ''}
<div class="person">!${visit ? personOf(visit) : ''}!${languageLinks(frame)}</div>
</header>
!${navigation ? html`<div class="frame">!${navigation}!${main}</div>` : main}
!${
    visit
      ? html`<footer class="foot">${text('times', { zone: visit.timeZone })}
<a href="/console/account">${text('timesChange')}</a></footer>`
      : ''
  }!${tags.join('')}
</body>
</html>
`;
}

/** A landmark, so that screen readers find the banner. */
function bannerOf(name: string, text: string): string {
  return html`<aside class="banner" aria-label="${name}">${text}</aside>`;
}

/** By POST: the searched text is often the payer's data, which no address may hold. */
function searchForm({ language, csrf }: Visit): string {
  const { text } = SHELL_TEXTS[language];
  const hint = text('searchHint');
  return html`<form class="find" role="search" method="post" action="/console/search"
 data-suggest>
<input type="hidden" name="csrf" value="${csrf}"><input type="search" name="q"
 aria-label="${hint}" placeholder="${hint}" autocomplete="off" maxlength="2048">
<button class="button quiet">${text('search')}</button>
<a class="keys" href="/console/search" data-open-palette
 title="${text('palette')}">Ctrl K</a></form>`;
}

function personOf({ language, viewer, csrf }: Visit): string {
  const { text } = SHELL_TEXTS[language];
  return html`<a href="/console/account">${text('signedInAs', { name: viewer.name })}</a>
<form method="post" action="/console/sign-out"><input type="hidden" name="csrf" value="${csrf}">
<button class="link">${text('signOut')}</button></form>`;
}

/** A link to each other language, in that language. */
function languageLinks({ language: current, query }: Frame): string {
  const kept = query === '' ? '' : `${query}&`;
  return CONSOLE_LANGUAGES.filter((language) => language !== current)
    .map(
      (language) =>
        html`<a href="?${kept}lang=${language}" lang="${language}" hreflang="${language}"
>${SHELL_TEXTS[language].text('language')}</a>`,
    )
    .join(' ');
}

const ALL = Object.keys(SECTIONS) as Section[];
const OF_MERCHANT = ALL.filter((name) => SECTIONS[name].path.startsWith('/m/'));
const OF_OPERATORS = ALL.filter((name) => SECTIONS[name].path.startsWith('/operator/'));
const OF_PERSON = ALL.filter((name) => !OF_MERCHANT.includes(name) && !OF_OPERATORS.includes(name));

/** The parts of a visit that the navigation hangs on. */
export interface NavigationVisit extends Pick<Visit, 'language' | 'shownMerchant' | 'can'> {
  /** The numbers beside the sections; left out: they have none. */
  readonly work?: Work;
}

/** The sections that the person may open, with the current one marked; on phones `person` too. */
export function renderNavigation(visit: NavigationVisit, current: Section, person: string): string {
  const { text } = SHELL_TEXTS[visit.language];
  return html`<div class="sections"><nav id="sections" popover aria-label="${text('navigation')}">
!${renderSections(visit, current)}<div class="person">!${person}</div>
</nav></div>`;
}

/** Opens the sections where the window is too narrow to show them beside the page. */
export function menuButton({ language }: Pick<Visit, 'language'>): string {
  return html`<button class="button quiet menu" type="button" popovertarget="sections">
${SHELL_TEXTS[language].text('menu')}</button>`;
}

/** @param current null: the page is none of them */
export function renderSections(visit: NavigationVisit, current: Section | null): string {
  const { shownMerchant: merchant } = visit;
  return html`!${list(visit, current, OF_PERSON)}
!${merchant ? html`<h2>${merchant.name}</h2>` + list(visit, current, OF_MERCHANT) : ''}
!${group(visit, current, OF_OPERATORS, SHELL_TEXTS[visit.language].text('forOperators'))}`;
}

function group(
  visit: NavigationVisit,
  current: Section | null,
  names: readonly Section[],
  title: string,
): string {
  const items = list(visit, current, names);
  return items === '' ? '' : html`<h2>${title}</h2>` + items;
}

/** A page to go to. */
export interface Place<Key extends string = string> {
  readonly key: Key;
  readonly href: string;
  readonly name: string;
}

/** The pages of a table that the person may open, for the merchant whose pages are shown. */
export function openPlaces<Key extends string>(
  { shownMerchant, can }: NavigationVisit,
  table: Readonly<Record<Key, SectionFacts>>,
  keys: readonly Key[],
  nameOf: (key: Key) => string,
): Place<Key>[] {
  const id = shownMerchant?.id;
  return keys
    .filter((key) => can(table[key].action, id) && (id || !table[key].path.includes(':merchant')))
    .map((key) => {
      const href = `/console${table[key].path.replace(':merchant', id ?? '')}`;
      return { key, href, name: nameOf(key) };
    });
}

/** The sections that the person may open. @param names left out: all that the menu has */
export function openSections(
  visit: NavigationVisit,
  names: readonly Section[] = ALL,
): Place<Section>[] {
  const { text } = SHELL_TEXTS[visit.language];
  return openPlaces(visit, SECTIONS, names, (name) => text(`section.${name}`));
}

function list(visit: NavigationVisit, current: Section | null, names: readonly Section[]): string {
  const items = openSections(visit, names).map(({ key, href, name }) => {
    const mark = key === current ? ' aria-current="page"' : '';
    const count = visit.work?.[key] ?? 0;
    const number = count > 0 ? html`<span class="count warning">${count}</span>` : '';
    return html`<li><a href="${href}"!${mark}>${name}
!${number}</a></li>`;
  });
  return items.length > 0 ? `<ul>${items.join('')}</ul>` : '';
}
