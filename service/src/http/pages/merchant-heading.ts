import { html } from 'ghtml';
import { shownText } from './shown-text.ts';

/** How pages show a merchant. */
export interface ShownMerchant {
  /** The registered name. */
  readonly name: string;
  readonly displayName: string | null;
  /** The address of the logo, at this origin: the policy of pages lets no other image in. */
  readonly logo: string | null;
  /** `#rrggbb` */
  readonly accentColour: string | null;
}

/** The name that sentences use. */
export function nameOf({ name, displayName }: ShownMerchant): string {
  return shownText(displayName ?? name);
}

/**
 * The merchant's logo and names. The registered name stays: a display name is chosen freely, and
 * proves nothing. A merchant without a profile stands in the page's other texts alone.
 */
export function merchantHeading(merchant: ShownMerchant, registeredAs: string): string {
  const { name, displayName, logo, accentColour } = merchant;
  if (displayName === null && logo === null && accentColour === null) return '';
  // An attribute of an SVG: the policy of pages lets no style in that it does not know.
  const stripe =
    accentColour &&
    html`<svg class="stripe" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"
 focusable="false"><path fill="${accentColour}" d="M0 0h1v1H0z"/></svg>`;
  const image = logo && html`<img src="${logo}" alt="">`;
  const isNamedTwice = displayName !== null && displayName !== name;
  const registered = isNamedTwice
    ? html`<span>${registeredAs} <bdi>${shownText(name)}</bdi></span>`
    : '';
  return html`<div class="merchant">!${stripe ?? ''}!${image ?? ''}
<p><strong><bdi>${nameOf(merchant)}</bdi></strong>!${registered}</p></div>`;
}
