import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import type { PaymentRequest } from './payment-request.ts';

export interface PublicAddresses {
  /** {base_url} */
  readonly publicApiUrl: string;
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
}

/** TypeScript does not know JSON.rawJSON yet; it writes a number's text exactly as given. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/**
 * Renders a payment request as every answer and webhook shows it (contract §4, "The answer has, in
 * this order"). Members that do not apply are left out; the amount has exactly two decimals.
 */
export function renderPaymentRequest(
  paymentRequest: PaymentRequest,
  addresses: PublicAddresses,
): string {
  return JSON.stringify(paymentRequestMembers(paymentRequest, addresses));
}

/**
 * The members in their order, for a body that is not written alone. `undefined` is left out.
 * Instants are texts already: JSON.stringify is twice as fast where it meets no object with a
 * `toJSON`.
 */
export function paymentRequestMembers(p: PaymentRequest, addresses: PublicAddresses) {
  const expiryDateTime = formatInstant(p.expiresAt);
  return {
    id: p.id,
    merchantTransactionId: p.merchantTransactionId ?? undefined,
    amount: rawJSON(formatAmount(p.amountCents)),
    type: p.type,
    deliveryMode: p.deliveryMode ?? undefined,
    payer: {
      name: p.payer.name,
      merchantAccountId: p.payer.merchantAccountId ?? undefined,
      email: p.payer.email ?? undefined,
      mobileNumber: p.payer.mobileNumber ?? undefined,
      preferredLanguage: p.payer.preferredLanguage ?? undefined,
    },
    dueDate: p.dueDate ?? expiryDateTime.slice(0, 10),
    displayMessage: p.displayMessage ?? undefined,
    invoiceNumber: p.invoiceNumber ?? undefined,
    businessUnit: p.businessUnit ?? undefined,
    emailTemplate: p.emailTemplateId === null ? undefined : { id: p.emailTemplateId },
    webhookUrl: p.webhook?.field === 'webhookUrl' ? p.webhook.url : undefined,
    callbackUrl: p.webhook?.field === 'callbackUrl' ? p.webhook.url : undefined,
    metadata: p.metadata ?? undefined,
    merchant: p.merchant,
    status: p.status,
    statusReason: p.statusReason ?? undefined,
    paidLate: p.paidLate || undefined,
    payment: p.payment
      ? {
          institution: p.payment.institution,
          networkReference: p.payment.networkReference,
          completedDateTime: formatInstant(p.payment.completedAt),
        }
      : undefined,
    createdDateTime: formatInstant(p.createdAt),
    expiryDateTime,
    shortCode: p.shortCode,
    paymentLink: `${addresses.paymentLinkBase}/${p.shortCode}`,
    qrCodeLink: `${addresses.paymentLinkBase}/qr/${p.shortCode}`,
    events: p.events.map((event) => ({
      status: event.status,
      dateTime: formatInstant(event.occurredAt),
    })),
    links: [{ rel: 'payment-request', href: `${addresses.publicApiUrl}/payment-requests/${p.id}` }],
  };
}
