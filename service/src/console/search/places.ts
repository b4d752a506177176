import { html } from 'ghtml';
import {
  type NavigationVisit,
  openPlaces,
  openSections,
  type Place,
} from '#console/shell/render-page.ts';
import type { SectionFacts } from '#console/shell/sections.ts';
import { pageTexts } from '#http/pages/texts.ts';

const SEARCH_TEXTS = pageTexts('console.search');

/** The acts of the palette, as the sections of the menu are described. */
const ACTS = {
  createRequest: {
    path: '/m/:merchant/payment-requests/new',
    action: 'payment-requests.create',
  },
  suppressions: { path: '/m/:merchant/suppressions', action: 'messages.read' },
  addEndpoint: { path: '/m/:merchant/endpoints/new', action: 'endpoints.change' },
  onboard: { path: '/operator/merchants/new', action: 'operator.merchants.onboard' },
  shortcuts: { path: '/shortcuts', action: 'account.use' },
} as const satisfies Readonly<Record<string, SectionFacts>>;

/** The acts of the palette that the person may do. */
export function openActs(visit: NavigationVisit): Place[] {
  const { text } = SEARCH_TEXTS[visit.language];
  const names = Object.keys(ACTS) as (keyof typeof ACTS)[];
  return openPlaces(visit, ACTS, names, (name) => text(`act.${name}`));
}

/** Without accents and capitals. */
export const fold = (text: string) =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** The acts and pages of which each searched word begins a word, as the script has them. */
export function placesNamed(visit: NavigationVisit, searched: string): Place[] {
  const words = fold(searched).split(/\s+/).filter(Boolean);
  return [...openActs(visit), ...openSections(visit)].filter(
    ({ name }) => words.length > 0 && words.every((word) => ` ${fold(name)}`.includes(` ${word}`)),
  );
}

export function placeLinks(places: readonly Place[]): string {
  return places.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>`).join('');
}
