import { html } from 'ghtml';
import { readTypedCents } from '#console/model/typed-amount.ts';

/** A choice: its value, and its words as HTML. */
export type Option<Value extends string = string> = readonly [value: Value, words: string];

/**
 * How a value is typed:
 * - `password`: a new one; `secret`: one that exists already. Neither is shown again.
 * - `amount`: a sum with two decimals at most, read as cents.
 * - `whole`: a whole number.
 * - `lines`: a text with a value a line.
 * - `choice` and `radio`: one of the options, as a list or side by side; `boxes`: any of them.
 * - `check`: a box to tick.
 * - `colour`: as `#rrggbb`, beside the colour itself.
 * - `hidden`: no person types it.
 */
export type FieldKind =
  | 'text'
  | 'email'
  | 'tel'
  | 'url'
  | 'date'
  | 'datetime-local'
  | 'password'
  | 'secret'
  | 'amount'
  | 'whole'
  | 'textarea'
  | 'lines'
  | 'file'
  | 'colour'
  | 'check'
  | 'choice'
  | 'radio'
  | 'boxes'
  | 'hidden';

/** A field of a form: the only description that its page and its reader need. */
export interface FormField {
  /** The member of the posted body. */
  readonly name: string;
  /** The id of a `choice` whose name other forms of the page have; left out: the name. */
  readonly id?: string;
  /** Default `text`. */
  readonly kind?: FieldKind;
  /** Hidden fields have none. */
  readonly label?: string;
  readonly hint?: string | undefined;
  /** The value of a form that was not sent yet; the ticked ones of `boxes`. */
  readonly value?: string | readonly string[] | null | undefined;
  /** The schema of the API for the value, which gives the length. */
  readonly rule?: object;
  /** The length where the API has no such field. */
  readonly maxLength?: number | undefined;
  /** The highest cents of an `amount`, or the highest `whole` number. */
  readonly most?: number;
  readonly options?: readonly Option[];
  readonly isRequired?: boolean;
  /** Left out: the label says that the value may lack, where the form needs other values. */
  readonly isOptional?: false;
  /** The title of the page is the label, which screen readers alone get. */
  readonly isTitle?: true;
  /** Shares its line with its neighbour where the form is wide. */
  readonly isHalf?: true;
  /** The sentence for a value that the reader refuses. */
  readonly fault?: string;
  /** Fields below the options, which belong to the last one. */
  readonly inner?: readonly FormField[];
  /** The type of a `file`, and the words of its button and of its place. */
  readonly accept?: string;
  readonly words?: { readonly choose: string; readonly none: string };
}

/** Fields below one heading; HTML between them is a text. */
export interface FieldGroup {
  /** Left out: the fields have headings of their own. */
  readonly legend?: string;
  readonly hint?: string;
  readonly className: 'card' | 'part';
  readonly fields: readonly (FormField | string)[];
}

export type FormItem = FormField | FieldGroup | string;

/** The fields of items, also those inside of others. */
export type FieldOf<Item> = Item extends { readonly fields: readonly (infer Inner)[] }
  ? FieldOf<Inner>
  : Item extends { readonly inner: readonly (infer Inner)[] }
    ? Item | Inner
    : Exclude<Item, string>;

/** The sentence beside each field with a fault, by the field's name. */
export type Faults = Readonly<Record<string, string | undefined>>;

/** The items of a form, with the names and kinds of their fields as types. */
export function formOf<const Items extends readonly FormItem[]>(...items: Items): Items {
  return items;
}

/** The fields of a form, also those inside of others. */
export function fieldsIn(items: readonly FormItem[]): FormField[] {
  return items.flatMap((item) => {
    if (typeof item === 'string') return [];
    return 'fields' in item ? fieldsIn(item.fields) : [item, ...(item.inner ?? [])];
  });
}

interface TextRule {
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** The most characters of a field: by the API's schema, or of the highest whole number. */
export function lengthOf({ rule, maxLength, kind, most }: FormField): number | undefined {
  if (kind === 'whole') return `${most}`.length;
  return (rule as TextRule | undefined)?.maxLength ?? maxLength;
}

/**
 * The API's pattern of a field. A browser anchors it and reads it with the flag `v`, as which some
 * patterns of the flag `u` are none: it would ignore these.
 */
export function patternOf({ rule }: FormField): string | undefined {
  const { pattern } = (rule ?? {}) as TextRule;
  try {
    return pattern && new RegExp(pattern, 'v').source;
  } catch {
    return undefined;
  }
}

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

/** The names of all time zones; the list of the platform leaves UTC out. */
const ZONES: readonly string[] = [...Intl.supportedValuesOf('timeZone'), 'UTC'];

/**
 * A choice of a time zone, or of none.
 * @param none the words for no choice
 */
export function zoneField(
  shown: { readonly label: string; readonly hint: string; readonly value: string | null },
  none: string,
) {
  const { value } = shown;
  // A zone that was set by another of its names stays.
  const names = value === null || ZONES.includes(value) ? ZONES : [value, ...ZONES];
  const options: Option[] = names.map((name) => [name, html`${name}`]);
  const choices: readonly Option[] = [['', html`${none}`], ...options];
  return { ...shown, name: 'timeZone', kind: 'choice', options: choices } as const;
}
