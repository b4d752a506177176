import { compileMapping, type Origins } from '#lib/compile-mapping.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import { ANSWERED_FIELDS, type AnsweredOwnField, type ConvertedField } from './field-lists.ts';
import { PAYER_FIELDS } from './fields.ts';
import { availableCents, receivedCents, refundSummaryStatus } from './money/sums.ts';
import type { PaymentRequest } from './payment-request.ts';

/** The settings of the deployment that answers show. */
export interface PublicSettings {
  /** {base_url} */
  readonly publicApiUrl: string;
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** TypeScript does not know JSON.rawJSON yet; it writes a number's text exactly as given. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** A JSON number with two decimals. */
export function amountNumber(cents: number): unknown {
  return rawJSON(formatAmount(cents));
}

type Members = Origins<PaymentRequest, PublicSettings>;
type Member = Members[string];

type Converted = Exclude<ConvertedField, 'expiryDateTime'> | 'dueDate' | 'currency';

/** The members of FIELDS that answers show in another form than the stored one. */
const CONVERTED: Readonly<Record<Converted, Member>> = {
  amount: (p) => amountNumber(p.amountCents),
  currency: (_, { currency }) => currency,
  payer: Object.fromEntries(Object.keys(PAYER_FIELDS).map((name) => [name, `payer.${name}`])),
  dueDate: (p) => shownDueDate(p),
  emailTemplate: (p) => (p.emailTemplateId === null ? undefined : { id: p.emailTemplateId }),
  webhookUrl: (p) => (p.webhook?.field === 'webhookUrl' ? p.webhook.url : undefined),
  callbackUrl: (p) => (p.webhook?.field === 'callbackUrl' ? p.webhook.url : undefined),
};

const OWN: Readonly<Record<Exclude<AnsweredOwnField, 'id'> | 'expiryDateTime', Member>> = {
  merchant: 'merchant',
  status: 'status',
  statusReason: 'statusReason',
  paidLate: (p) => p.paidLate || undefined,
  payment: (p) =>
    p.payment
      ? {
          institution: p.payment.institution,
          networkReference: p.payment.networkReference,
          completedDateTime: formatInstant(p.payment.completedAt),
          amountReceived: amountNumber(receivedCents(p)),
        }
      : undefined,
  refundSummary: (p) =>
    p.payment
      ? {
          status: refundSummaryStatus(p),
          amountReceived: amountNumber(receivedCents(p)),
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
  events: (p) =>
    p.events.map(({ status, occurredAt }) => ({ status, dateTime: formatInstant(occurredAt) })),
  links: (p, { publicApiUrl }) => [
    { rel: 'payment-request', href: `${publicApiUrl}/payment-requests/${p.id}` },
  ],
};

const isConverted = (name: string): name is keyof typeof CONVERTED => name in CONVERTED;

/**
 * The members in the order of contract §4, for a body that holds more; `undefined` is left out.
 * Instants are texts: JSON.stringify takes twice as long with objects that have a `toJSON`.
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

/** Renders a payment request as every answer and webhook shows it (contract §4). */
export function renderPaymentRequest(p: PaymentRequest, settings: PublicSettings): string {
  return JSON.stringify(paymentRequestMembers(p, settings));
}

/** The due date that was sent; otherwise the date of the expiry (UTC). */
export function shownDueDate({ dueDate, expiresAt }: PaymentRequest): string {
  return dueDate ?? formatInstant(expiresAt).slice(0, 10);
}
