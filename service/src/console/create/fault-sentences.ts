import type { Faults } from '#console/forms/form-field.ts';
import { fieldsIn, lengthOf } from '#console/forms/form-field.ts';
import { faultText, type TypedForm } from '#console/lists/fault-text.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import type { FieldFault } from '#lib/problem.ts';
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
