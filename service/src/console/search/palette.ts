import { html } from 'ghtml';
import type { Action } from '#console/model/access-matrix.ts';
import { type NavigationVisit, renderSections } from '#console/shell/navigation.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { hitList } from './hit-list.ts';
import { searchCard } from './search-card.ts';

const SEARCH_TEXTS = pageTexts('console.search');

interface PaletteAct {
  readonly name: 'createRequest' | 'suppressions' | 'addEndpoint' | 'onboard' | 'shortcuts';
  /** Below `/console`; `:merchant` stands for the merchant whose pages are shown. */
  readonly path: string;
  readonly action: Action;
}

const ACTS: readonly PaletteAct[] = [
  {
    name: 'createRequest',
    path: '/m/:merchant/payment-requests/new',
    action: 'payment-requests.create',
  },
  { name: 'suppressions', path: '/m/:merchant/suppressions', action: 'messages.read' },
  { name: 'addEndpoint', path: '/m/:merchant/endpoints/new', action: 'endpoints.change' },
  { name: 'onboard', path: '/operator/merchants/new', action: 'operator.merchants.onboard' },
  { name: 'shortcuts', path: '/shortcuts', action: 'account.use' },
];

/**
 * Search, payment requests that were open lately, acts and pages. It is the page of the search, and
 * the script `console-palette` opens it as a dialog.
 */
export function renderPalette(
  visit: Visit,
  place: NavigationVisit,
  recent: readonly PaymentRequest[],
): string {
  const { text } = SEARCH_TEXTS[visit.language];
  const label = { label: text('label'), hint: text('hint'), id: 'palette' };
  const lately = recent.length > 0 ? html`<h2>${text('recent')}</h2>` + hitList(visit, recent) : '';
  return html`<section class="palette" data-palette="${text('label')}" data-here="${text('here')}">
!${searchCard(visit, label)}
<button class="button quiet" type="button" data-close hidden>${text('close')}</button>
<div data-recent>!${lately}</div>
<div data-choices><h2>${text('acts')}</h2><ul>!${actItems(place)}</ul>
<div data-pages><h2>${text('pages')}</h2>!${renderSections(place, null)}</div></div></section>`;
}

function actItems({ language, shownMerchant, can }: NavigationVisit): string {
  const { text } = SEARCH_TEXTS[language];
  return ACTS.filter(({ path }) => shownMerchant || !path.includes(':merchant'))
    .filter(({ action }) => can(action, shownMerchant?.id))
    .map(({ name, path }) => {
      const address = path.replace(':merchant', shownMerchant?.id ?? '');
      return html`<li><a href="/console${address}">${text(`act.${name}`)}</a></li>`;
    })
    .join('');
}
