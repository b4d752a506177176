import { LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
import { EMPTY_PROFILE } from '#merchants/profile/profile.ts';
import { renderMessage } from '#messages/rendering/render-message.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { makePng } from '../make-png.ts';
import type { MeetablePage } from './payer-pages.ts';

const PNG = makePng(512, 120);
const LOGO = `data:image/png;base64,${PNG.toString('base64')}`;
const REFUSAL = `https://pay.example/messages/${'0123456789abcdef'.repeat(4)}`;

const MERCHANT = {
  profile: {
    ...EMPTY_PROFILE,
    displayName: 'Harbour, the bookseller with the long name at the old harbour',
    supportEmail: 'help@shop.example',
    supportPhone: '+1 902 555 0199',
    website: 'https://shop.example',
  },
  origins: [],
  logo: PNG,
  refusalUrl: REFUSAL,
};

const SETTINGS = {
  paymentLinkBase: 'https://pay.example/pay',
  currency: 'CAD',
  timeZone: 'America/Toronto',
  isTest: true,
};

/** The members that a mail shows. */
function paymentRequest(preferredLanguage: string): PaymentRequest {
  const shown = {
    merchant: { id: 'm', name: 'Harbour Books Limited' },
    payer: { name: 'Ada Lovelace', email: 'ada@example.com', preferredLanguage },
    amountCents: 1_234,
    sums: { receivedCents: 1_234 },
    shortCode: '7Qm2ZbX4kP9sTn3vLw8d',
    invoiceNumber: 'INVOICE-WITHOUT-ANY-SPACE-'.padEnd(50, '0'),
    displayMessage: `Order ${'of many things '.repeat(17)}`.slice(0, 250).trim(),
    expiresAt: new Date('2026-03-02T18:00:00Z'),
    payment: {
      completedAt: new Date('2026-03-01T12:00:00Z'),
      networkReference: 'CA1MRVX2ZKQ7TR4',
    },
  };
  return shown as unknown as PaymentRequest;
}

/** The mails to payers as pages, their logo as a mail program shows it. */
export function meetMails(): MeetablePage[] {
  return (['REQUEST', 'REMINDER', 'RECEIPT', 'CANCELLATION'] as const).map((kind) => ({
    name: `mail, ${kind}`,
    url: `https://mail.example/${kind}`,
    cookies: [],
    answers: Object.fromEntries(
      LANGUAGES.map((language) => {
        const subject = { paymentRequest: paymentRequest(language), refund: null };
        const { html } = renderMessage(kind, subject, MERCHANT, SETTINGS);
        return [language, html.replace('cid:logo', LOGO)];
      }),
    ) as Record<Language, string>,
  }));
}
