import type { FastifyRequest } from 'fastify';
import { endOfDay, isDay } from '#console/lists/model/days.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import { readTypedAmount } from '#console/model/typed-amount.ts';
import type { JsonCall } from '#http/json/call.ts';
import { dropAbsentMembers } from '#http/json/normalise-body.ts';
import type { FieldFault } from '#lib/problem.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';

/** The fields of the form. Each but the last is named by its member in a call. */
export const FORM_FIELDS = [
  'amount',
  'payer.name',
  'payer.email',
  'payer.mobileNumber',
  'payer.preferredLanguage',
  'displayMessage',
  'invoiceNumber',
  'merchantTransactionId',
  'businessUnit',
  'dueDate',
  /** A day stands for the end of it: people think of a last day, not of an instant. */
  'expiryDay',
] as const;
export type FormField = (typeof FORM_FIELDS)[number];

/** The texts of the form as they were typed, for the form that shows them again. */
export type TypedValues = Readonly<Partial<Record<FormField, string>>>;

const NUMBER = /^-?\d+(\.\d+)?$/;
const PAYER = 'payer.';

export function readTyped(form: URLSearchParams): TypedValues {
  return Object.fromEntries(FORM_FIELDS.map((name) => [name, (form.get(name) ?? '').trim()]));
}

/** The call that the form stands for, with the faults that its schema finds. */
export function readForm(request: FastifyRequest, typed: TypedValues, timeZone: string): JsonCall {
  const { amount: typedAmount = '', expiryDay = '', ...texts } = typed;
  const amount = readTypedAmount(typedAmount);
  const isNumber = NUMBER.test(amount);
  const payer: Record<string, unknown> = {};
  const members: Record<string, unknown> = { type: 'ECOMM', payer };
  if (amount !== '') members.amount = isNumber ? Number(amount) : amount;
  for (const [name, text] of Object.entries(texts)) {
    if (name.startsWith(PAYER)) payer[name.slice(PAYER.length)] = text;
    else members[name] = text;
  }
  const faults: FieldFault[] = [];
  if (isDay(expiryDay)) members.expiryDateTime = endOfDay(expiryDay, timeZone);
  else if (expiryDay !== '') faults.push(noDay('expiryDay'));
  dropAbsentMembers(members, NewPaymentRequestSchema);
  return {
    members,
    numberSources: new Map(isNumber ? [['amount', amount]] : []),
    faults: [...schemaFaultsOf(request, NewPaymentRequestSchema, members), ...faults],
  };
}

function noDay(field: string): FieldFault {
  return { field, code: 'INVALID_FORMAT', message: `Give ${field} as a day.` };
}
