import { html } from 'ghtml';
import { copyField, copyStatus } from '#console/components/parts.ts';
import { amount, instant } from '#console/components/values.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { chooseLanguage, LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount, localizedInstant } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { qrCodeSvg } from '#http/qr-codes/qr-code.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { isOpen } from '#payment-requests/model/statuses.ts';

const SHARE_LINK_TEXTS = pageTexts('console.create.share-link');

/** The page that hands a payment request over: link, QR code, and the text of an e-mail. */
export function registerShareLinkPage(routes: ConsoleRoutes): void {
  const path = '/m/:merchant/payment-requests/:id/share-link';
  routes.page(path, 'payment-requests.read', async (deps, visit) => {
    const { db, settings, environment } = deps;
    const stored = await findOwnPaymentRequest(db, visit.merchantId, visit.params.id ?? '');
    const paymentRequest = paymentRequestAt(stored, visit.now);
    if (!isOpen(paymentRequest.status)) return closedPage(visit, paymentRequest);
    const link = `${settings.paymentLinkBase}/${paymentRequest.shortCode}`;
    const { displayName } = await findProfile(db, visit.merchantId);
    const email = emailFor(paymentRequest, {
      link,
      merchantName: displayName ?? paymentRequest.merchant.name,
      language: visit.language,
      currency: visit.currency,
      timeZone: visit.merchant?.timeZone ?? visit.bookZone,
      isTest: environment === 'sandbox',
    });
    return openPage(visit, paymentRequest, link, email);
  });
}

function openPage(visit: Visit, p: PaymentRequest, link: string, email: Email): ConsolePage {
  const { text } = SHARE_LINK_TEXTS[visit.language];
  const isNew = visit.query.get('done') === 'created';
  const line = html`!${amount(visit, p.amountCents)} · ${p.payer.name} · ${text('expires')}
!${instant(visit, p.expiresAt)}`;
  const another = visit.can('payment-requests.create')
    ? html`<a class="button quiet" href="${addressOf(visit, { id: 'new' })}">${text('another')}</a>`
    : '';
  const ofLink = { id: 'payment-link', label: text('link') };
  const mailto = mailtoOf(p.payer.email, email);
  const field = (id: string, label: string, value: string, isBlock?: true) =>
    html`<p class="hint">${label}</p>
!${copyField(visit, { id, label, value, ...(isBlock && { isBlock }) })}`;
  const head = {
    under: line,
    acts: html`!${another}
<a class="button quiet" href="${addressOf(visit, p)}">${text('open')}</a>`,
  };
  return {
    title: text('title'),
    scripts: ['copy-fields'],
    notice: isNew ? text('created') : null,
    head,
    body: html`!${copyStatus(visit)}<div class="share-link">
<div><section class="card"><h2>${text('link')}</h2><p class="quiet">${text('linkLead')}</p>
!${copyField(visit, { ...ofLink, value: link, words: text('copyLink') })}
</section>
<section class="card"><h2>${text('email')}</h2><p class="quiet">${text('emailLead')}</p>
!${field('email-subject', text('subject'), email.subject)}
!${field('email-text', text('text'), email.text, true)}
<p class="actions"><a class="button quiet" href="${mailto}">${text('openMail')}</a></p></section>
</div><section class="card"><h2>${text('qrCode')}</h2><p class="quiet">${text('qrLead')}</p>
<div class="qr-code" role="img" aria-label="${text('qrCode')}">!${qrCodeSvg(link)}</div>
</section></div>`,
  };
}

function closedPage(visit: Visit, p: PaymentRequest): ConsolePage {
  const { text } = SHARE_LINK_TEXTS[visit.language];
  return {
    title: text('title'),
    body: html`<h1>${text('title')}</h1><p>${text('closed')}</p>
<p class="actions"><a class="button quiet" href="${addressOf(visit, p)}">${text('open')}</a></p>`,
  };
}

function addressOf({ merchantId }: Visit, { id }: Pick<PaymentRequest, 'id'>): string {
  return `/console/m/${merchantId}/payment-requests/${id}`;
}

const TEXTS = pageTexts('payer.email');

/** An e-mail that a person sends from a mailbox of the merchant. */
export type Email = ReturnType<typeof emailFor>;

export interface EmailOptions {
  readonly link: string;
  readonly merchantName: string;
  /** For a payer whose language is not known. */
  readonly language: Language;
  readonly currency: string;
  readonly timeZone: string;
  /** The sandbox moves no money, and the e-mail says so. */
  readonly isTest: boolean;
}

/** The e-mail that hands a payment link over, in the payer's language. */
export function emailFor(p: PaymentRequest, options: EmailOptions) {
  const { link, merchantName: merchant, currency, timeZone, isTest } = options;
  const preferred = p.payer.preferredLanguage;
  const language =
    preferred === null
      ? options.language
      : chooseLanguage({ asked: null, preferred, acceptLanguage: undefined, languages: LANGUAGES });
  const { text } = TEXTS[language];
  const amount = localizedAmount(language, p.amountCents, currency);
  const paragraphs = [
    text('hello', { name: p.payer.name }),
    [text('asks', { merchant, amount }), p.displayMessage].filter(Boolean).join('\n'),
    p.invoiceNumber && text('invoice', { invoice: p.invoiceNumber }),
    `${text('open')}\n${link}`,
    text('until', { expires: localizedInstant(language, p.expiresAt, timeZone) }),
    isTest && text('test'),
    merchant,
  ];
  return {
    subject: text('subject', { merchant, amount }),
    /** Plain text; its lines end with \n. */
    text: paragraphs.filter(Boolean).join('\n\n'),
  };
}

/** The address that opens the e-mail in the person's own program (RFC 6068). */
export function mailtoOf(to: string | null, { subject, text }: Email): string {
  const body = text.replaceAll('\n', '\r\n');
  const address = encodeURIComponent(to ?? '');
  const query = `subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
  return `mailto:${address}?${query}`;
}
