import { chooseLanguage, LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount, localizedInstant } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

const TEXTS = pageTexts('payer.email');

/** An e-mail that a person sends from a mailbox of the merchant. */
export interface Email {
  readonly subject: string;
  /** Plain text; its lines end with \n. */
  readonly text: string;
}

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
export function emailFor(p: PaymentRequest, options: EmailOptions): Email {
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
