import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type Faults, fieldsIn, lengthOf, readTexts } from '#console/forms/form-field.ts';
import { faultText, type TypedForm } from '#console/lists/fault-text.ts';
import { endOfDay, isDay } from '#console/lists/model/days.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import { readTypedAmount } from '#console/model/typed-amount.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, Visit } from '#console/shell/visit.ts';
import type { JsonCall } from '#http/json/call.ts';
import { dropAbsentMembers } from '#http/json/normalise-body.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { isId, newId } from '#lib/new-id.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import {
  type AskedByPerson,
  type CreateForPersonDeps,
  createForPerson,
} from '#payment-requests/create/create-for-person.ts';
import type { ValidateCreationDeps } from '#payment-requests/create/validate-creation.ts';
import { NewPaymentRequestSchema } from '#payment-requests/model/schemas.ts';
import { CREATE_TEXTS, createFields, createPage } from './form.ts';
import { registerShareLinkPage } from './share-link-page.ts';

export interface CreatePagesDeps extends Omit<CreateForPersonDeps, 'hooks' | 'validation'> {
  readonly creation: ValidateCreationDeps;
}

const PATH = '/m/:merchant/payment-requests/new';
const ACTION = 'payment-requests.create';

/** The form of a new payment request, and the page that hands it over to the payer. */
export function registerCreatePages(routes: ConsoleRoutes, deps: CreatePagesDeps): void {
  routes.page(PATH, ACTION, (_, visit) => createPage(visit));
  routes.form(PATH, ACTION, 'typed', (_, ...call) => create(deps, ...call));
  registerShareLinkPage(routes);
}

async function create(
  deps: CreatePagesDeps,
  visit: Visit,
  form: URLSearchParams,
  request: FastifyRequest,
): Promise<ConsoleAnswer> {
  const { merchantId, actor } = visit;
  // A key that is none of ours would let two forms count as one.
  if (!isId(form.get('form-key') ?? '')) form.set('form-key', newId());
  const body = readCall(request, visit, form);
  try {
    const formKey = form.get('form-key') ?? '';
    const id = await createOnce(deps, { merchantId, actor, formKey, body });
    return { to: `/console/m/${merchantId}/payment-requests/${id}/share-link`, done: 'created' };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { text } = CREATE_TEXTS[visit.language];
    if (error.code === 'IDEMPOTENCY_KEY_REUSED') {
      // The person went back and changed the form: the next sending is another creation.
      form.set('form-key', newId());
      const page = createPage(visit, { sent: form });
      return { ...page, status: UNPROCESSABLE, notice: text('again') };
    }
    const isTaken = error.code === 'DUPLICATE_MERCHANT_TRANSACTION_ID';
    if (!isTaken && error.code !== 'VALIDATION_ERROR') throw error;
    const faults = isTaken
      ? { merchantTransactionId: text('fault.taken') }
      : faultSentences(visit, error.errors, mostCentsOf(deps));
    return createPage(visit, { sent: form, faults });
  }
}

const UNPROCESSABLE = 422;
/** A creation takes some 10 ms; a double click sends the form twice within that time. */
const RETRY_MS = 100;
const MOST_TRIES = 20;

/**
 * Creates once for a form, also for its second sending while the first is at work: the browser
 * shows the answer of the second alone.
 */
async function createOnce(
  { creation, ...deps }: CreatePagesDeps,
  asked: AskedByPerson,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const more = { hooks: creation.hooks, validation: creation };
      return await createForPerson({ ...deps, ...more }, asked);
    } catch (error) {
      const isAtWork = error instanceof Problem && error.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!isAtWork || tries === MOST_TRIES) throw error;
      await wait(RETRY_MS);
    }
  }
}

/** The highest amount of the deployment and its network. */
function mostCentsOf({ creation: { limits } }: CreatePagesDeps): number {
  return Math.min(limits.maxAmountCents, limits.network?.highestAmountCents ?? Infinity);
}

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
