import { html } from 'ghtml';
import type { Work } from './read-work.ts';
import { SECTIONS, type Section } from './sections.ts';
import { SHELL_TEXTS } from './texts.ts';
import type { Visit } from './visit.ts';

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
  const { text } = SHELL_TEXTS[language];
  return html`<button class="button quiet menu" type="button" popovertarget="sections">
${text('menu')}</button>`;
}

/** @param current null: the page is none of them */
export function renderSections(visit: NavigationVisit, current: Section | null): string {
  const { text } = SHELL_TEXTS[visit.language];
  const { shownMerchant: merchant } = visit;
  return html`!${list(visit, current, OF_PERSON)}
!${merchant ? html`<h2>${merchant.name}</h2>` + list(visit, current, OF_MERCHANT) : ''}
!${group(visit, current, OF_OPERATORS, text('forOperators'))}`;
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

function list(visit: NavigationVisit, current: Section | null, names: readonly Section[]): string {
  const { text } = SHELL_TEXTS[visit.language];
  const { shownMerchant } = visit;
  const items = names
    .filter((name) => visit.can(SECTIONS[name].action, shownMerchant?.id))
    .map((name) => {
      const path = SECTIONS[name].path.replace(':merchant', shownMerchant?.id ?? '');
      const mark = name === current ? ' aria-current="page"' : '';
      const count = visit.work?.[name] ?? 0;
      const number = count > 0 ? html`<span class="count warning">${count}</span>` : '';
      return html`<li><a href="/console${path}"!${mark}>${text(`section.${name}`)}
!${number}</a></li>`;
    });
  return items.length > 0 ? `<ul>${items.join('')}</ul>` : '';
}
