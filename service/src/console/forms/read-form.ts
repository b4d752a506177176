import { readTypedCents } from '#console/model/typed-amount.ts';
import {
  type Faults,
  type FieldOf,
  type FormField,
  type FormItem,
  fieldsIn,
  lengthOf,
} from './form-field.ts';

type ValueOf<Field extends FormField> = Field extends { readonly kind: 'boxes' }
  ? readonly string[]
  : Field extends { readonly kind: 'check' }
    ? boolean
    : Field extends { readonly kind: 'amount' | 'whole' }
      ? Field extends { readonly isRequired: true }
        ? number
        : number | null
      : Field extends { readonly options: readonly (readonly [infer Value, string])[] }
        ? Value
        : string;

/** The value of each field, by its name. */
export type FormValues<Field extends FormField> = {
  readonly [Name in Field['name']]: ValueOf<Extract<Field, { readonly name: Name }>>;
};

/** The values of a form, or the sentences for those that are refused. */
export type FormReading<Items extends readonly FormItem[]> =
  | { readonly values: FormValues<Extract<FieldOf<Items[number]>, FormField>> }
  | { readonly faults: Faults };

/** Stands for a value that the field does not take. */
const REFUSED = Symbol('refused');

/** The values of a posted form by its fields, or the sentences for those that are refused. */
export function readForm<const Items extends readonly FormItem[]>(
  items: Items,
  sent: URLSearchParams,
): FormReading<Items> {
  const values: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const field of fieldsIn(items)) {
    const value = valueIn(field, sent);
    if (value === REFUSED) faults[field.name] = field.fault ?? '';
    else values[field.name] = value;
  }
  if (Object.keys(faults).length > 0) return { faults };
  return { values } as FormReading<Items>;
}

/** The texts of a posted form, for calls of the API that find the faults themselves. */
export function readTexts<const Items extends readonly FormItem[]>(
  items: Items,
  sent: URLSearchParams,
): Readonly<Record<Extract<FieldOf<Items[number]>, FormField>['name'], string>> {
  const texts = fieldsIn(items).map((field) => [field.name, textIn(field, sent)]);
  return Object.fromEntries(texts);
}

/** A text without the spaces around it, which only passwords keep; empty where it lacks. */
function textIn({ name, kind }: FormField, sent: URLSearchParams): string {
  const text = sent.get(name) ?? '';
  return kind === 'password' ? text : text.trim();
}

function valueIn(field: FormField, sent: URLSearchParams): unknown {
  const { name, kind = 'text', options = [], isRequired = false, most = 0 } = field;
  const text = textIn(field, sent);
  switch (kind) {
    case 'check':
      return sent.has(name);
    case 'boxes': {
      const ticked = [...new Set(sent.getAll(name))];
      const areOptions = ticked.every((each) => options.some(([value]) => value === each));
      return areOptions && (ticked.length > 0 || !isRequired) ? ticked : REFUSED;
    }
    case 'choice':
    case 'radio':
      return options.find(([value]) => value === text)?.[0] ?? REFUSED;
    case 'amount':
      if (text === '' && !isRequired) return null;
      return readTypedCents(text, most) ?? REFUSED;
    case 'whole':
      return /^\d{1,9}$/.test(text) && Number(text) <= most ? Number(text) : REFUSED;
    default: {
      const isFine = text.length <= (lengthOf(field) ?? text.length);
      return isFine && (text !== '' || !isRequired) ? text : REFUSED;
    }
  }
}
