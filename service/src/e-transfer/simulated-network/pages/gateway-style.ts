import type { ErrorPageOptions } from '#http/pages/error-page.ts';
import type { Look } from '#http/pages/page.ts';
import { readStyle } from '#http/pages/style.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { Institution } from '../institutions.ts';

/** The texts of the gateway and of its institutions. */
export const gatewayTexts = pageTexts('payer.gateway');

/** The styles of the gateway's and its institutions' pages, beside every page's own. */
const GATEWAY_STYLE = readStyle('payer/gateway-forms', 'payer/gateway');
const INSTITUTION_STYLE = readStyle('payer/gateway-forms', 'payer/institution');

function institutionStyle({ colour, lightColour }: Institution): string {
  const own = `:root { --institution: ${colour}; --institution-light: ${lightColour}; }`;
  return `${own} ${INSTITUTION_STYLE}`;
}

const styleOf = new Map<string, string>();

const GATEWAY_MARK =
  '<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false"><circle cx="14" cy="14" r="13" ' +
  'fill="none" stroke="currentColor" stroke-width="2"/><path d="M7 14h13m-5-5 5 5-5 5" ' +
  'fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" ' +
  'stroke-linejoin="round"/></svg>';

export function gatewayLook(brand: string): Look {
  return { brand, mark: GATEWAY_MARK, style: GATEWAY_STYLE };
}

export function institutionLook(institution: Institution): Look {
  const { id, name } = institution;
  const style = styleOf.get(id) ?? institutionStyle(institution);
  styleOf.set(id, style);
  return { brand: name, mark: institutionMark(institution, 'currentColor'), style };
}

/** An institution's logo: its initials in its colour. */
export function institutionMark({ initials, colour }: Institution, edge = colour): string {
  return (
    '<svg viewBox="0 0 36 36" aria-hidden="true" focusable="false"><rect x="1" y="1" width="34" ' +
    `height="34" rx="9" fill="${colour}" stroke="${edge}" stroke-width="1.5"/><text x="18" ` +
    'y="23.5" text-anchor="middle" font-family="system-ui, sans-serif" font-size="15" ' +
    `font-weight="700" fill="#fff">${initials}</text></svg>`
  );
}

/** Obstacles wear the gateway's look. */
export const GATEWAY_ERROR_PAGES: ErrorPageOptions = {
  notice: (language) => gatewayTexts[language].text('notice'),
  look: (language) => gatewayLook(gatewayTexts[language].text('brand')),
};
