import { csvLine } from '#lib/csv.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { PublicAddresses } from '#payment-requests/model/render-json.ts';

type Read = (p: PaymentRequest, addresses: PublicAddresses) => string | null;

/**
 * The columns of the CSV list, named by the way to the same value in the JSON list. What is itself
 * a list there (events, links) has none.
 */
const COLUMNS: readonly (readonly [name: string, read: Read])[] = [
  ['id', (p) => p.id],
  ['merchantTransactionId', (p) => p.merchantTransactionId],
  ['amount', (p) => formatAmount(p.amountCents)],
  ['type', (p) => p.type],
  ['deliveryMode', (p) => p.deliveryMode],
  ['payer.name', (p) => p.payer.name],
  ['payer.merchantAccountId', (p) => p.payer.merchantAccountId],
  ['payer.email', (p) => p.payer.email],
  ['payer.mobileNumber', (p) => p.payer.mobileNumber],
  ['payer.preferredLanguage', (p) => p.payer.preferredLanguage],
  ['dueDate', (p) => p.dueDate ?? formatInstant(p.expiresAt).slice(0, 10)],
  ['displayMessage', (p) => p.displayMessage],
  ['invoiceNumber', (p) => p.invoiceNumber],
  ['businessUnit', (p) => p.businessUnit],
  ['emailTemplate.id', (p) => p.emailTemplateId],
  ['webhookUrl', (p) => (p.webhook?.field === 'webhookUrl' ? p.webhook.url : null)],
  ['callbackUrl', (p) => (p.webhook?.field === 'callbackUrl' ? p.webhook.url : null)],
  ['metadata', (p) => (p.metadata === null ? null : JSON.stringify(p.metadata))],
  ['merchant.id', (p) => p.merchant.id],
  ['merchant.name', (p) => p.merchant.name],
  ['status', (p) => p.status],
  ['statusReason.code', (p) => p.statusReason?.code ?? null],
  ['statusReason.message', (p) => p.statusReason?.message ?? null],
  ['paidLate', (p) => (p.paidLate ? 'true' : null)],
  ['payment.institution', (p) => p.payment?.institution ?? null],
  ['payment.networkReference', (p) => p.payment?.networkReference ?? null],
  ['payment.completedDateTime', (p) => (p.payment ? formatInstant(p.payment.completedAt) : null)],
  ['createdDateTime', (p) => formatInstant(p.createdAt)],
  ['expiryDateTime', (p) => formatInstant(p.expiresAt)],
  ['shortCode', (p) => p.shortCode],
  ['paymentLink', (p, { paymentLinkBase }) => `${paymentLinkBase}/${p.shortCode}`],
  ['qrCodeLink', (p, { paymentLinkBase }) => `${paymentLinkBase}/qr/${p.shortCode}`],
];

/** The first line: the columns' names. */
export const CSV_HEADER = csvLine(COLUMNS.map(([name]) => name));

/** The line of one payment request. */
export function paymentRequestLine(p: PaymentRequest, addresses: PublicAddresses): string {
  return csvLine(COLUMNS.map(([, read]) => read(p, addresses)));
}
