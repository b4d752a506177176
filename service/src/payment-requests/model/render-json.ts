import { compileMapping, type Origins } from '#lib/compile-mapping.ts';
import { formatInstant } from '#lib/instant.ts';
import { amountNumber } from '#lib/money.ts';
import { ANSWERED_FIELDS, type AnsweredOwnField, type ConvertedField } from './field-lists.ts';
import { PAYER_FIELDS } from './fields.ts';
import type { LinkMessage } from './messages/link-message.ts';
import { availableCents, refundSummaryStatus } from './money/sums.ts';
import type { PaymentRequest, WebhookUrlField } from './payment-request.ts';

/** The settings of the deployment that answers show. */
export interface PublicSettings {
  /** {base_url} */
  readonly publicApiUrl: string;
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
  /** ISO 4217. */
  readonly currency: string;
}

type Members = Origins<PaymentRequest, PublicSettings>;
type Member = Members[string];

type Converted = Exclude<ConvertedField, 'expiryDateTime'> | 'dueDate' | 'currency';

/** The members of FIELDS that answers show in another form than the stored one. */
const CONVERTED: Readonly<Record<Converted, Member>> = {
  amount: (p) => amountNumber(p.amountCents),
  currency: (_, { currency }) => currency,
  payer: Object.fromEntries(Object.keys(PAYER_FIELDS).map((name) => [name, `payer.${name}`])),
  dueDate: shownDueDate,
  emailTemplate: (p) => (p.emailTemplateId === null ? undefined : { id: p.emailTemplateId }),
  webhookUrl: (p) => webhookUrlNamed('webhookUrl', p),
  callbackUrl: (p) => webhookUrlNamed('callbackUrl', p),
};

function webhookUrlNamed(name: WebhookUrlField, { webhook }: PaymentRequest): string | undefined {
  return webhook?.field === name ? webhook.url : undefined;
}

const OWN: Readonly<Record<Exclude<AnsweredOwnField, 'id'> | 'expiryDateTime', Member>> = {
  merchant: { id: 'merchant.id', name: 'merchant.name' },
  status: 'status',
  statusReason: 'statusReason',
  paidLate: (p) => p.paidLate || undefined,
  payment: (p) =>
    p.payment
      ? {
          institution: p.payment.institution,
          networkReference: p.payment.networkReference,
          completedDateTime: formatInstant(p.payment.completedAt),
          amountReceived: amountNumber(p.sums.receivedCents),
        }
      : undefined,
  refundSummary: (p) =>
    p.payment
      ? {
          status: refundSummaryStatus(p),
          amountReceived: amountNumber(p.sums.receivedCents),
          amountReturned: amountNumber(p.sums.returnedCents),
          amountRefunded: amountNumber(p.sums.refundedCents),
          amountAvailable: amountNumber(availableCents(p)),
        }
      : undefined,
  createdDateTime: (p) => formatInstant(p.createdAt),
  expiryDateTime: (p) => formatInstant(p.expiresAt),
  shortCode: 'shortCode',
  paymentLink: (p, { paymentLinkBase }) => `${paymentLinkBase}/${p.shortCode}`,
  qrCodeLink: (p, { paymentLinkBase }) => `${paymentLinkBase}/qr/${p.shortCode}`,
  events: ({ events }) =>
    events.map(({ status, occurredAt }) => ({ status, dateTime: formatInstant(occurredAt) })),
  linkMessage: ({ linkMessage }) => (linkMessage ? linkMessageMembers(linkMessage) : undefined),
  sandboxAdvancedSeconds: ({ sandboxAdvancedUs: us }) =>
    us ? Math.floor(us / 1_000_000) : undefined,
  links: ({ id }, { publicApiUrl }) => [
    { rel: 'payment-request', href: `${publicApiUrl}/payment-requests/${id}` },
  ],
};

const isConverted = (name: string): name is keyof typeof CONVERTED => name in CONVERTED;

/**
 * The members of a payment request in every answer and webhook, in the order of contract §4.
 * Amounts keep their two decimals; `undefined` is left out.
 */
export const paymentRequestMembers = compileMapping<PaymentRequest, object, PublicSettings>(
  {
    id: 'id',
    ...Object.fromEntries(
      ANSWERED_FIELDS.map((name) => [name, isConverted(name) ? CONVERTED[name] : name]),
    ),
    ...OWN,
  },
  'undefined',
);

function linkMessageMembers({ id, status, reason, at }: LinkMessage) {
  return { id, status, ...(reason && { reason }), dateTime: formatInstant(at) };
}

/** Renders a payment request as every answer and webhook shows it. */
export function renderPaymentRequest(p: PaymentRequest, settings: PublicSettings): string {
  return JSON.stringify(paymentRequestMembers(p, settings));
}

/** The due date that was sent; otherwise the date of the expiry (UTC). */
export function shownDueDate({ dueDate, expiresAt }: PaymentRequest): string {
  return dueDate ?? formatInstant(expiresAt).slice(0, 10);
}
