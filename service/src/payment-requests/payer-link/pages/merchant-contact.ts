import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { shownText } from '#http/pages/shown-text.ts';
import type { MerchantProfile } from '#merchants/profile/profile.ts';
import { PAYMENT_STATE_TEXTS, type PaymentStateText } from './payment-state-texts.ts';

export interface MerchantContactOptions {
  readonly language: Language;
  /** The name that sentences use. */
  readonly merchant: string;
  readonly profile: MerchantProfile;
  /** Money was taken, or may be. */
  readonly isPaid: boolean;
}

/** Whom to ask, and what to do about a request that the payer knows nothing of. */
export function merchantContact(options: MerchantContactOptions): string {
  const { language, merchant, isPaid } = options;
  const { text } = PAYMENT_STATE_TEXTS[language];
  const ways = waysOf(options);
  const lead = text(ways === '' ? 'contact.unknown' : 'contact.lead', { merchant });
  const unordered = text(isPaid ? 'unordered.paid' : 'unordered.unpaid', { merchant });
  return html`<section class="contact"><h2>${text('contact.title')}</h2><p>${lead}</p>
!${ways}<details><summary>${text('unordered.summary')}</summary><p>${unordered}</p></details>
</section>`;
}

function waysOf({ language, profile }: MerchantContactOptions): string {
  const { supportEmail, supportPhone, website } = profile;
  const ways: readonly (readonly [PaymentStateText, string | null, string])[] = [
    ['contact.email', supportEmail, mailAddress(supportEmail ?? '')],
    ['contact.phone', supportPhone, `tel:${supportPhone?.replace(/[^+\d]/g, '')}`],
    ['contact.website', website, website ?? ''],
  ];
  const { text } = PAYMENT_STATE_TEXTS[language];
  const rows = ways.flatMap(([name, shown, address]) =>
    shown === null
      ? []
      : html`<li>${text(name)} <a href="${address}" rel="noreferrer">${shownText(shown)}</a></li>`,
  );
  return rows.length > 0 ? html`<ul>!${rows.join('\n')}</ul>` : '';
}

/** A local part may hold `?` and `#`, which would add recipients and texts to the mail. */
function mailAddress(email: string): string {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
}
