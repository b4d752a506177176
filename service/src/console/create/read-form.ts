import type { FastifyRequest } from 'fastify';
import { type Faults, fieldsIn, lengthOf } from '#console/forms/form-field.ts';
import { readTexts } from '#console/forms/read-form.ts';
import { faultText, type TypedForm } from '#console/lists/fault-text.ts';
import { endOfDay, isDay } from '#console/lists/model/days.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import { readTypedAmount } from '#console/model/typed-amount.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { JsonCall } from '#http/json/call.ts';
import { dropAbsentMembers } from '#http/json/normalise-body.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import type { FieldFault } from '#lib/problem.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import { createFields } from './form.ts';
import { CREATE_TEXTS } from './texts.ts';

/** The words about a form, by the kind of the field. */
const FORMS: Readonly<Record<string, TypedForm>> = {
  amount: 'amount',
  email: 'email',
  tel: 'phone',
  date: 'day',
};

/** The sentence at each field, in the words of the page. */
export function faultSentences(
  visit: Visit,
  faults: readonly FieldFault[],
  mostCents: number,
): Faults {
  const placed = faults.map((fault) =>
    fault.field === 'expiryDateTime' ? { ...fault, field: 'expiryDay' } : fault,
  );
  return Object.fromEntries(
    placed.map((fault) => [fault.field, sentenceOf(visit, fault, mostCents)]),
  );
}

function sentenceOf(visit: Visit, { field, code, message }: FieldFault, mostCents: number): string {
  const { language, currency } = visit;
  const { text } = CREATE_TEXTS[language];
  const known = fieldsIn(createFields(visit)).find(({ name }) => name === field);
  // A fault of the deployment, such as of its currency, has only the sentence of the calls.
  if (!known) return message;
  const form = FORMS[known.kind ?? 'text'] ?? 'text';
  if (form === 'amount' && code === 'TOO_HIGH') {
    return text('fault.most', { most: localizedAmount(language, mostCents, currency) });
  }
  if (form === 'amount' && code === 'TOO_LOW') return text('fault.least');
  if (code === 'TOO_LONG') return text('fault.length', { most: lengthOf(known) ?? 0 });
  if (field === 'expiryDay' && code !== 'INVALID_FORMAT') return text('fault.expiry');
  // The sandbox refuses names that nearly drive its simulator, and says so in its own words.
  if (field === 'payer.name' && code === 'INVALID_VALUE') return message;
  // An empty name is too short for the calls.
  if (code === 'TOO_SHORT') return faultText(language, 'REQUIRED', 'text');
  if (code === 'INVALID_FORMAT' && form === 'text') return text('fault.controls');
  return faultText(language, code, form);
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const PAYER = 'payer.';

/** The call that the form stands for, with the faults that its schema finds. */
export function readCall(request: FastifyRequest, visit: Visit, form: URLSearchParams): JsonCall {
  const typed = readTexts(createFields(visit), form);
  const { 'form-key': _, amount: typedAmount, expiryDay, ...texts } = typed;
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
  if (isDay(expiryDay)) members.expiryDateTime = endOfDay(expiryDay, visit.timeZone);
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
