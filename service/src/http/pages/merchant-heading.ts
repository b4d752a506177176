import { html } from 'ghtml';
import { shownText } from './shown-text.ts';

/** How pages show a merchant. */
export interface ShownMerchant {
  /** The registered name. */
  readonly name: string;
  readonly displayName: string | null;
  /** The address of the logo, at this origin: the policy of pages lets no other image in. */
  readonly logoUrl: string | null;
  /** `#rrggbb` */
  readonly accentColour: string | null;
  /** The contact for questions. Absent: a network kept the merchant before it knew of these. */
  readonly supportEmail?: string | null;
  readonly supportPhone?: string | null;
  readonly website?: string | null;
}

/** The merchant of a request, as a network keeps it. */
export const merchantOf = (request: {
  readonly merchantName: string;
  readonly merchantProfile: Omit<ShownMerchant, 'name'>;
}): ShownMerchant => ({ name: request.merchantName, ...request.merchantProfile });

/** The name that the merchant has chosen. */
export function nameOf({ name, displayName }: ShownMerchant): string {
  return shownText(displayName ?? name);
}

/** The name under which the operator registered the merchant; null: it is the shown one. */
export function registeredNameOf({ name, displayName }: ShownMerchant): string | null {
  return displayName === null || displayName === name ? null : name;
}

/**
 * The merchant's logo, and its colour at the edge of the page. An attribute of an SVG holds the
 * colour: the policy of pages lets no style in that it does not know.
 */
export function merchantMark({ logoUrl, accentColour }: ShownMerchant): string {
  const stripe =
    accentColour &&
    html`<svg class="stripe" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"
 focusable="false"><path fill="${accentColour}" d="M0 0h1v1H0z"/></svg>`;
  const image = logoUrl && html`<img src="${logoUrl}" alt="">`;
  return html`!${stripe ?? ''}!${image ?? ''}`;
}
