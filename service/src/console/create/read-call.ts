import type { FastifyRequest } from 'fastify';
import { readTexts } from '#console/forms/read-form.ts';
import { endOfDay, isDay } from '#console/lists/model/days.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import { readTypedAmount } from '#console/model/typed-amount.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { JsonCall } from '#http/json/call.ts';
import { dropAbsentMembers } from '#http/json/normalise-body.ts';
import type { FieldFault } from '#lib/problem.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import { createFields } from './form.ts';

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
