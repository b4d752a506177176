import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import type { Notice, NoticeKind } from './notice.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

const RENDERERS: Readonly<Record<NoticeKind, (notice: Notice) => MailText>> = {
  PAYMENT_RETURNED: (notice) => ({
    subject: `Money was returned: payment request ${notice.paymentRequestId}`,
    text: [
      `A bank has taken back money of payment request ${notice.paymentRequestId}.`,
      ...amountLine('Returned so far', notice),
      'The payment request stays PAID. Read it with your API credentials, and decide about the ' +
        'order.',
    ].join('\n'),
  }),
  REFUND_FAILED: (notice) => ({
    subject: `A refund failed: payment request ${notice.paymentRequestId}`,
    text: [
      `Refund ${notice.refundId} of payment request ${notice.paymentRequestId} failed.`,
      ...amountLine('Amount', notice),
      ...(notice.statusReasonCode === null ? [] : [`Reason: ${notice.statusReasonCode}`]),
      'The payer did not get this money. Read the refund with your API credentials, and decide ' +
        'about a new one.',
    ].join('\n'),
  }),
  ACCOUNT_CHANGED: (notice) => ({
    subject: 'Your bank account for payments was changed',
    text: [
      'The account to which payers send money for you was changed.',
      ...(notice.previousNumberEnd === null
        ? []
        : [`Before: an account ending in ${notice.previousNumberEnd}`]),
      `Now: an account ending in ${notice.numberEnd}`,
      'If you did not ask for this change, call the operator of the service at once.',
    ].join('\n'),
  }),
};

/**
 * Renders the e-mail of a notice: identifiers and sums, no name or account of a payer. An e-mail
 * passes through servers that nobody here knows.
 */
export function renderMail(notice: Notice): MailText {
  const { subject, text } = RENDERERS[notice.kind](notice);
  const about = `Merchant: ${onOneLine(notice.merchantName)} (${notice.merchantId})`;
  const at = `Time: ${formatInstant(notice.createdAt)}`;
  return { subject, text: `${text}\n\n${about}\n${at}\n` };
}

/** A name with line breaks must not look like lines of the service. */
function onOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}

function amountLine(label: string, { amountCents, currency }: Notice): string[] {
  if (amountCents === null) return [];
  return [`${label}: ${[formatAmount(amountCents), currency].filter(Boolean).join(' ')}`];
}
