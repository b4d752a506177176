import type { Field, NamesKnownTo, NamesWith, OwnField } from './field-types.ts';
import { FIELDS } from './fields.ts';
import { SUMS_COLUMNS } from './money/sums.ts';

/** The fields that the service sets, in the order in which answers show them after the others. */
export const OWN_FIELDS = {
  id: { columns: { id: 'uuid' }, isAnswered: true },
  merchant: { columns: { merchant_id: 'text' }, isAnswered: true },
  status: { columns: { status: 'text' }, isAnswered: true },
  statusReason: {
    columns: { status_reason_code: 'text', status_reason_message: 'text' },
    isAnswered: true,
  },
  paidLate: { columns: { paid_late: 'boolean' }, isAnswered: true },
  payment: {
    columns: {
      payment_institution: 'text',
      payment_network_reference: 'text',
      payment_completed_at: 'timestamptz',
    },
    isAnswered: true,
  },
  refundSummary: { columns: SUMS_COLUMNS, isAnswered: true },
  createdDateTime: { columns: { created_at: 'timestamptz' }, isAnswered: true },
  shortCode: { columns: { short_code: 'text' }, isAnswered: true },
  paymentLink: { columns: {}, isAnswered: true },
  qrCodeLink: { columns: {}, isAnswered: true },
  events: { columns: {}, isAnswered: true },
  /** Absent while no call has advanced the time of the payment request. */
  sandboxAdvancedSeconds: { columns: { sandbox_advanced_us: 'bigint' }, isAnswered: true },
  links: { columns: {}, isAnswered: true },
  /** Read from the row of the message: no part of the version. */
  linkMessage: { columns: {}, isAnswered: true },
  messagePlan: { columns: { message_plan: 'json' }, isAnswered: false },
  version: { columns: { version: 'integer' }, isAnswered: false },
  webhookSequence: { columns: { webhook_sequence: 'integer' }, isAnswered: false },
  traceparent: { columns: { trace_parent: 'text' }, isAnswered: false },
  requestId: { columns: { request_id: 'text' }, isAnswered: false },
  uniqueTransactionId: { columns: { unique_transaction_id: 'text' }, isAnswered: false },
  /** Places the creation in the order of commits (decision 0079). */
  creationTransaction: { columns: { creation_transaction: 'xid8' }, isAnswered: false },
} as const satisfies Readonly<Record<string, OwnField>>;

export type FieldName = keyof typeof FIELDS;
export type KeptField = NamesWith<typeof FIELDS, 'kind', 'KEPT'>;
export type ConvertedField = NamesWith<typeof FIELDS, 'kind', 'CONVERTED'>;
export type ChangeableField = NamesWith<typeof FIELDS, 'set', 'WHILE_CREATED'>;
/** Fields that the list can be narrowed by; the filter of a KEPT field is derived. */
export type FilterField = NamesKnownTo<typeof FIELDS, 'FILTERS'>;
export type EqualityFilter = FilterField & KeptField;
/** Fields that the console's form, page and list show. */
export type ConsoleField = NamesKnownTo<typeof FIELDS, 'CONSOLE'> & KeptField;
export type AnsweredOwnField = NamesWith<typeof OWN_FIELDS, 'isAnswered', true>;

const names = Object.keys(FIELDS) as FieldName[];

export const KEPT_FIELDS = names.filter((name) => FIELDS[name].kind === 'KEPT') as KeptField[];

export const CHANGEABLE_FIELDS = names.filter(
  (name) => FIELDS[name].set === 'WHILE_CREATED',
) as ChangeableField[];

export const EQUALITY_FILTERS = names.filter((name) => {
  const { kind, knownTo }: Field = FIELDS[name];
  return kind === 'KEPT' && knownTo.includes('FILTERS');
}) as EqualityFilter[];

export const CONSOLE_FIELDS = names.filter((name) => {
  const { knownTo }: Field = FIELDS[name];
  return knownTo.includes('CONSOLE');
}) as ConsoleField[];

/** Answers show `expiryDateTime` beside `createdDateTime`, and the service's own `merchant`. */
export type AnsweredField = Exclude<FieldName, 'merchant' | 'expiryDateTime'>;
export const ANSWERED_FIELDS = names.filter(
  (name): name is AnsweredField => name !== 'merchant' && name !== 'expiryDateTime',
);
