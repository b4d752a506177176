import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { nameOf, type ShownMerchant } from './merchant-heading.ts';
import { shownText } from './shown-text.ts';
import { pageTexts } from './texts.ts';

/** The id of the element with the reference to name. */
export const REFERENCE_ID = 'facts.reference';

const texts = pageTexts('payer.contact');

/**
 * Whom to ask, and what to do about a request that the payer knows nothing of.
 *
 * @param isPaid money was taken, or may be
 */
export function merchantContact(
  language: Language,
  merchant: ShownMerchant,
  isPaid: boolean,
): string {
  const { text } = texts[language];
  const values = { merchant: nameOf(merchant) };
  const { supportEmail, supportPhone, website } = merchant;
  const ways = [
    way(text('contact.email'), supportEmail, mailAddress(supportEmail ?? '')),
    way(text('contact.phone'), supportPhone, `tel:${supportPhone?.replace(/[^+\d]/g, '')}`),
    // The address itself may be long, and says less than its owner.
    website
      ? html`<li><a href="${website}" rel="noreferrer">${text('contact.website')}</a></li>`
      : '',
  ].join('');
  const lead = text(ways === '' ? 'contact.unknown' : 'contact.lead', values);
  const unordered = text(isPaid ? 'unordered.paid' : 'unordered.unpaid', values);
  return html`<section class="contact"><h2>${text('contact.title')}</h2><p>${lead}
<button class="copy plain" type="button" data-copy="${REFERENCE_ID}" hidden
 value="${text('contact.reference')}">${text('contact.copy')}</button></p>
!${ways && `<ul>${ways}</ul>`}<details><summary>${text('unordered.summary')}</summary>
<p>${unordered}</p></details></section>`;
}

function way(label: string, shown: string | null | undefined, address: string): string {
  if (!shown) return '';
  return html`<li>${label} <a href="${address}" rel="noreferrer">${shownText(shown)}</a></li>`;
}

/** A local part may hold `?` and `#`, which would add recipients and texts to the mail. */
function mailAddress(email: string): string {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
}
