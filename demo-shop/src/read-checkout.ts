import { type Basket, linesOf, totalCentsOf } from './basket.ts';
import type { Language } from './language.ts';
import { type NewOrder, type Order, TENDERS, type Tender } from './order.ts';
import { TEXTS, type Texts } from './texts.ts';

/** The customer's input on the checkout page, unchanged. */
export interface CheckoutFields {
  readonly name: string;
  readonly email: string;
  readonly mobileNumber: string;
  readonly tender: string;
}

/** Each field's fault, as the key of its text. */
export type CheckoutFaults = Partial<Record<keyof CheckoutFields, keyof Texts['faults']>>;

export type ReadCheckout =
  | { readonly order: NewOrder }
  | { readonly fields: CheckoutFields; readonly faults: CheckoutFaults };

/**
 * The formats, as the browser checks them before it opens a window. The server decides: it knows
 * the service's bounds (contract §4) as well.
 */
export const PATTERNS = {
  name: String.raw`.*\S.*`,
  email: String.raw`[^@\s]+@[^@\s]+\.[^@\s]+`,
  mobileNumber: String.raw`[\-+\(\) ]*(?:\d[\-+\(\) ]*){10,15}`,
} as const;

const LONGEST_NAME = 100;
const LONGEST_EMAIL = 254;

/** The fields of the checkout page at first: empty, or those of the order that it changes. */
export function fieldsOf(order?: Order): CheckoutFields {
  return {
    name: order?.name ?? '',
    email: order?.email ?? '',
    mobileNumber: order?.mobileNumber ?? '',
    tender: order?.tender ?? 'E_TRANSFER',
  };
}

/** Validates the checkout page's form; gives all faults at once. */
export function readCheckout(
  form: URLSearchParams,
  basket: Basket,
  language: Language,
): ReadCheckout {
  const text = (name: string) => (form.get(name) ?? '').trim();
  const fields = {
    name: text('name'),
    email: text('email'),
    mobileNumber: text('mobileNumber'),
    tender: text('tender'),
  };
  const faults = faultsOf(fields);
  const { tender } = fields;
  if (!isTender(tender) || Object.keys(faults).length > 0) return { fields, faults };
  const lines = linesOf(basket);
  return {
    order: {
      name: fields.name,
      email: fields.email || null,
      mobileNumber: fields.mobileNumber || null,
      language,
      tender,
      lines: lines.map(({ product: { sku }, quantity, lineCents }) => ({
        sku,
        name: TEXTS[language].products[sku].name,
        quantity,
        lineCents,
      })),
      totalCents: totalCentsOf(lines),
    },
  };
}

function isTender(text: string): text is Tender {
  return TENDERS.some((tender) => tender === text);
}

function faultsOf({ name, email, mobileNumber, tender }: CheckoutFields): CheckoutFaults {
  const faults: CheckoutFaults = {};
  if (name === '') faults.name = 'nameMissing';
  else if (name.length > LONGEST_NAME) faults.name = 'nameTooLong';
  else if (/\p{Cc}/u.test(name)) faults.name = 'nameForbidden';
  if (email === '' && mobileNumber === '') faults.email = 'contactMissing';
  else if (email !== '' && (!matches('email', email) || email.length > LONGEST_EMAIL)) {
    faults.email = 'emailFormat';
  } else if (email === '' && tender === 'PAY_LATER') faults.email = 'emailForLink';
  if (mobileNumber !== '' && !matches('mobileNumber', mobileNumber)) {
    faults.mobileNumber = 'mobileNumberFormat';
  }
  if (!isTender(tender)) faults.tender = 'tenderMissing';
  return faults;
}

/** Matches the whole text, as an input's `pattern` does. */
function matches(field: keyof typeof PATTERNS, text: string): boolean {
  return new RegExp(`^(?:${PATTERNS[field]})$`, 'v').test(text);
}
