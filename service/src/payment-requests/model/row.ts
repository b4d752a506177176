import { compileMapping, type Origins } from '#lib/compile-mapping.ts';
import { formatInstant } from '#lib/instant.ts';
import { CHANGEABLE_FIELDS, type ConvertedField, KEPT_FIELDS, OWN_FIELDS } from './field-lists.ts';
import type { Columns, Field, OwnField } from './field-types.ts';
import { FIELDS, PAYER_FIELDS } from './fields.ts';
import type { MessagePlan } from './messages/delivery.ts';
import type { MessageReason, MessageStatus } from './messages/link-message.ts';
import type { NewPaymentRequest, PaymentRequest, WebhookUrlField } from './payment-request.ts';
import type { Status, StatusReasonCode } from './statuses.ts';

/** A row of `payment_requests`: the columns that a conversion reads. */
export interface Row {
  readonly webhook_url: string | null;
  readonly webhook_url_field: WebhookUrlField | null;
  readonly short_code: string;
  readonly status_reason_code: StatusReasonCode | null;
  readonly status_reason_message: string | null;
  readonly payment_institution: string | null;
  readonly payment_network_reference: string | null;
  readonly payment_completed_at: Date | null;
  readonly created_at: Date;
  /** The rows of `payment_request_moves` in order: status and epoch milliseconds; null: none. */
  readonly events: readonly (readonly [Status, number])[] | null;
  readonly message_plan: MessagePlan | null;
  /** The latest message with the link: id, status, reason, epoch milliseconds; null: none. */
  readonly link_message: readonly [string, MessageStatus, MessageReason | null, number] | null;
}

type FromRow = Origins<Row, undefined>;
type ToColumns = Origins<NewPaymentRequest, unknown>;
type OwnFieldName = keyof typeof OWN_FIELDS;

/** Own fields that are written at creation and are no part of `PaymentRequest`. */
const UNREAD = [
  'requestId',
  'uniqueTransactionId',
  'creationTransaction',
] as const satisfies readonly OwnFieldName[];

/** The properties of `PaymentRequest` that hold the converted fields. */
const PROPERTIES: Readonly<Record<ConvertedField, FromRow>> = {
  amount: { amountCents: 'amount_cents' },
  payer: { payer: columnsByName(PAYER_FIELDS) },
  expiryDateTime: { expiresAt: 'expires_at' },
  emailTemplate: { emailTemplateId: 'email_template_id' },
  webhookUrl: {
    webhook: ({ webhook_url: url, webhook_url_field: field }: Row) =>
      url !== null && field !== null ? { field, url } : null,
  },
  callbackUrl: {},
};

/** The properties of `PaymentRequest` that hold the service's own fields. */
const OWN_PROPERTIES: Readonly<Record<Exclude<OwnFieldName, (typeof UNREAD)[number]>, FromRow>> = {
  id: { id: 'id' },
  merchant: { merchant: { id: 'merchant_id', name: 'merchant_name' } },
  status: { status: 'status' },
  statusReason: {
    statusReason: ({ status_reason_code: code, status_reason_message: message }: Row) =>
      code !== null ? { code, message: message ?? '' } : null,
  },
  paidLate: { paidLate: 'paid_late' },
  payment: { payment: paymentOf },
  refundSummary: {
    sums: {
      receivedCents: 'received_cents',
      returnedCents: 'returned_cents',
      refundedCents: 'refunded_cents',
      refundingCents: 'refunding_cents',
    },
  },
  createdDateTime: { createdAt: 'created_at' },
  shortCode: { shortCode: 'short_code' },
  paymentLink: {},
  qrCodeLink: {},
  events: { events: eventsOf },
  linkMessage: { linkMessage: linkMessageOf },
  messagePlan: { messagePlan: 'message_plan' },
  sandboxAdvancedSeconds: { sandboxAdvancedUs: 'sandbox_advanced_us' },
  links: {},
  version: { version: 'version' },
  webhookSequence: { webhookSequence: 'webhook_sequence' },
  traceparent: { traceparent: 'trace_parent' },
};

/** Reads a row of `SELECTED_COLUMNS`, `merchant_name`, `events` and `link_message`. */
export const fromRow = compileMapping<Row, PaymentRequest>({
  ...keptOrigins(([name, column]) => [name, column]),
  ...Object.assign({}, ...Object.values({ ...PROPERTIES, ...OWN_PROPERTIES })),
}) as (row: Row) => PaymentRequest;

/** The values of the columns that hold the converted fields. */
const COLUMN_VALUES: Readonly<Record<ConvertedField, ToColumns>> = {
  amount: { amount_cents: 'amountCents' },
  payer: Object.fromEntries(
    Object.entries(columnsByName(PAYER_FIELDS)).map(([name, column]) => [column, `payer.${name}`]),
  ),
  expiryDateTime: { expires_at: ({ expiresAt }: NewPaymentRequest) => formatInstant(expiresAt) },
  emailTemplate: { email_template_id: 'emailTemplateId' },
  webhookUrl: {
    webhook_url: ({ webhook }: NewPaymentRequest) => webhook?.url ?? null,
    webhook_url_field: ({ webhook }: NewPaymentRequest) => webhook?.field ?? null,
  },
  callbackUrl: {},
};

/** The origins of the columns of FIELDS, and of the plan, in a `NewPaymentRequest`. */
export const COLUMN_ORIGINS: ToColumns = {
  ...keptOrigins(([name, column]) => [column, name]),
  ...Object.assign({}, ...Object.values(COLUMN_VALUES)),
  message_plan: 'messagePlan',
};

/** The columns of FIELDS, with their types. */
export const FIELD_COLUMNS: Columns = { ...columnsOf(FIELDS), ...columnsOf(PAYER_FIELDS) };

/** The columns that `fromRow` reads. */
export const SELECTED_COLUMNS: readonly string[] = Object.keys({
  ...FIELD_COLUMNS,
  ...columnsOf(
    Object.fromEntries(
      Object.entries(OWN_FIELDS).filter(([name]) => !UNREAD.some((unread) => unread === name)),
    ),
  ),
});

/** The columns that an update writes. */
export const CHANGEABLE_COLUMNS: readonly string[] = [
  ...CHANGEABLE_FIELDS.flatMap((name) => Object.keys(FIELDS[name].columns)),
  ...Object.values(PAYER_FIELDS)
    .filter(({ set }) => set === 'WHILE_CREATED')
    .map(columnOf),
  columnOf(OWN_FIELDS.messagePlan),
];

/** All columns of a table of fields, with their types. */
export function columnsOf(table: Readonly<Record<string, Field | OwnField>>): Columns {
  return Object.assign({}, ...Object.values(table).map(({ columns }) => columns));
}

/** The one column of each field, by the field's name. */
function columnsByName(
  table: Readonly<Record<string, { readonly columns: Columns }>>,
): Readonly<Record<string, string>> {
  const columns = Object.entries(table).map(([name, field]) => [name, columnOf(field)]);
  return Object.fromEntries(columns);
}

export function columnOf({ columns }: { readonly columns: Columns }): string {
  return Object.keys(columns).join();
}

function keptOrigins(
  origin: (each: [name: string, column: string]) => [member: string, origin: string],
): Readonly<Record<string, string>> {
  return Object.fromEntries(KEPT_FIELDS.map((name) => origin([name, columnOf(FIELDS[name])])));
}

/** The row is its CREATED event (decision 0079). */
function eventsOf({ events, created_at: createdAt }: Row): PaymentRequest['events'] {
  const moves = (events ?? []).map(([status, at]) => ({ status, occurredAt: new Date(at) }));
  return [{ status: 'CREATED', occurredAt: createdAt }, ...moves];
}

function linkMessageOf({ link_message: found }: Row): PaymentRequest['linkMessage'] {
  if (!found) return null;
  const [id, status, reason, at] = found;
  return { id, status, reason, at: new Date(at) };
}

function paymentOf(row: Row): PaymentRequest['payment'] {
  if (row.payment_completed_at === null) return null;
  return {
    institution: row.payment_institution ?? '',
    networkReference: row.payment_network_reference ?? '',
    completedAt: row.payment_completed_at,
  };
}
