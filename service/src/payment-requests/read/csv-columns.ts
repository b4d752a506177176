import { compileMapping, type Origins } from '#lib/compile-mapping.ts';
import { csvLine } from '#lib/csv.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import {
  ANSWERED_FIELDS,
  type AnsweredField,
  type AnsweredOwnField,
  type ConvertedField,
} from '#payment-requests/model/field-lists.ts';
import type { Field, NamesKnownTo } from '#payment-requests/model/field-types.ts';
import { FIELDS, PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import { availableCents, refundSummaryStatus } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { type PublicSettings, shownDueDate } from '#payment-requests/model/render-json.ts';

type Columns = Origins<PaymentRequest, PublicSettings>;
type CsvField = NamesKnownTo<typeof FIELDS, 'CSV'>;
type Converted =
  | Extract<ConvertedField, AnsweredField & CsvField>
  | 'currency'
  | 'delivery'
  | 'dueDate'
  | 'metadata';

/** The columns of the fields whose cells differ from the stored value. */
const CONVERTED: Readonly<Record<Converted, Columns>> = {
  amount: { amount: (p) => formatAmount(p.amountCents) },
  currency: { currency: (_, { currency }) => currency },
  payer: Object.fromEntries(
    namesInCsv(PAYER_FIELDS).map((name) => [`payer.${name}`, `payer.${name}`]),
  ),
  delivery: {
    'delivery.sendDateTime': (p) => p.delivery?.sendDateTime ?? null,
    'delivery.quietHours': (p) => p.delivery?.quietHours?.toString() ?? null,
    'delivery.receipt': (p) => p.delivery?.receipt?.toString() ?? null,
  },
  dueDate: { dueDate: (p) => shownDueDate(p) },
  emailTemplate: { 'emailTemplate.id': 'emailTemplateId' },
  webhookUrl: { webhookUrl: (p) => (p.webhook?.field === 'webhookUrl' ? p.webhook.url : null) },
  callbackUrl: { callbackUrl: (p) => (p.webhook?.field === 'callbackUrl' ? p.webhook.url : null) },
  metadata: { metadata: (p) => (p.metadata === null ? null : JSON.stringify(p.metadata)) },
};

/** Members that are lists in JSON have no column, nor has what only the sandbox knows. */
type OwnColumn =
  | Exclude<AnsweredOwnField, 'id' | 'events' | 'links' | 'sandboxAdvancedSeconds'>
  | 'expiryDateTime';

/** The cells of a payment request that was ever PAID. */
const REFUND_SUMMARY: Readonly<Record<string, (p: PaymentRequest) => string>> = {
  status: refundSummaryStatus,
  amountReceived: (p) => formatAmount(p.sums.receivedCents),
  amountReturned: (p) => formatAmount(p.sums.returnedCents),
  amountRefunded: (p) => formatAmount(p.sums.refundedCents),
  amountAvailable: (p) => formatAmount(availableCents(p)),
};

const OWN: Readonly<Record<OwnColumn, Columns>> = {
  merchant: { 'merchant.id': 'merchant.id', 'merchant.name': 'merchant.name' },
  status: { status: 'status' },
  statusReason: {
    'statusReason.code': (p) => p.statusReason?.code ?? null,
    'statusReason.message': (p) => p.statusReason?.message ?? null,
  },
  paidLate: { paidLate: (p) => (p.paidLate ? 'true' : null) },
  payment: {
    'payment.institution': (p) => p.payment?.institution ?? null,
    'payment.networkReference': (p) => p.payment?.networkReference ?? null,
    'payment.completedDateTime': (p) => (p.payment ? formatInstant(p.payment.completedAt) : null),
    'payment.amountReceived': (p) => (p.payment ? formatAmount(p.sums.receivedCents) : null),
  },
  refundSummary: Object.fromEntries(
    Object.entries(REFUND_SUMMARY).map(([name, cell]) => [
      `refundSummary.${name}`,
      (p: PaymentRequest) => (p.payment ? cell(p) : null),
    ]),
  ),
  createdDateTime: { createdDateTime: (p) => formatInstant(p.createdAt) },
  expiryDateTime: { expiryDateTime: (p) => formatInstant(p.expiresAt) },
  shortCode: { shortCode: 'shortCode' },
  paymentLink: { paymentLink: (p, { paymentLinkBase }) => `${paymentLinkBase}/${p.shortCode}` },
  qrCodeLink: { qrCodeLink: (p, { paymentLinkBase }) => `${paymentLinkBase}/qr/${p.shortCode}` },
  linkMessage: {
    'linkMessage.id': (p) => p.linkMessage?.id ?? null,
    'linkMessage.status': (p) => p.linkMessage?.status ?? null,
    'linkMessage.reason': (p) => p.linkMessage?.reason ?? null,
    'linkMessage.dateTime': (p) => (p.linkMessage ? formatInstant(p.linkMessage.at) : null),
  },
};

const isConverted = (name: string): name is Converted => name in CONVERTED;

/** The columns of the CSV list, each named by the path of its value in the JSON list. */
const COLUMNS: Columns = Object.assign(
  { id: 'id' },
  ...ANSWERED_FIELDS.filter((name) => namesInCsv(FIELDS).includes(name)).map((name) =>
    isConverted(name) ? CONVERTED[name] : { [name]: name },
  ),
  ...Object.values(OWN),
);

const toCells = compileMapping<PaymentRequest, Record<string, string | null>, PublicSettings>(
  COLUMNS,
);

/** The first line: the columns' names. */
export const CSV_HEADER = csvLine(Object.keys(COLUMNS));

/** The line of one payment request. */
export function paymentRequestLine(p: PaymentRequest, settings: PublicSettings): string {
  return csvLine(Object.values(toCells(p, settings)));
}

function namesInCsv(table: Readonly<Record<string, Field>>): string[] {
  return Object.keys(table).filter((name) => table[name]?.knownTo.includes('CSV'));
}
