import { faultText, type TypedForm } from '#console/lists/fault-text.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import type { FieldFault } from '#lib/problem.ts';
import { type FieldFaults, LONGEST } from './form.ts';
import { FORM_FIELDS, type FormField } from './read-form.ts';
import { CREATE_TEXTS } from './texts.ts';

const FORMS: Readonly<Partial<Record<FormField, TypedForm>>> = {
  amount: 'amount',
  'payer.email': 'email',
  'payer.mobileNumber': 'phone',
  dueDate: 'day',
  expiryDay: 'day',
};

/** The sentence at each field, in the words of the page. */
export function faultSentences(
  visit: Visit,
  faults: readonly FieldFault[],
  mostCents: number,
): FieldFaults {
  const placed = faults.map((fault) =>
    fault.field === 'expiryDateTime' ? { ...fault, field: 'expiryDay' } : fault,
  );
  return new Map(placed.map((fault) => [fault.field, sentenceOf(visit, fault, mostCents)]));
}

function sentenceOf(visit: Visit, { field, code, message }: FieldFault, mostCents: number): string {
  const { language, currency } = visit;
  const { text } = CREATE_TEXTS[language];
  const known = FORM_FIELDS.find((name) => name === field);
  // A fault of the deployment, such as of its currency, has only the sentence of the calls.
  if (!known) return message;
  if (known === 'amount' && code === 'TOO_HIGH') {
    return text('fault.most', { most: localizedAmount(language, mostCents, currency) });
  }
  if (known === 'amount' && code === 'TOO_LOW') return text('fault.least');
  if (code === 'TOO_LONG') return text('fault.length', { most: LONGEST[known] ?? 0 });
  if (known === 'expiryDay' && code !== 'INVALID_FORMAT') return text('fault.expiry');
  // The sandbox refuses names that nearly drive its simulator, and says so in its own words.
  if (known === 'payer.name' && code === 'INVALID_VALUE') return message;
  // An empty name is too short for the calls.
  if (code === 'TOO_SHORT') return faultText(language, 'REQUIRED', 'text');
  const form = FORMS[known] ?? 'text';
  if (code === 'INVALID_FORMAT' && form === 'text') return text('fault.controls');
  return faultText(language, code, form);
}
