import { linesOf, readBasket, totalCentsOf } from './basket.ts';
import type { NewOrder, Tender } from './order.ts';

/** The customer's input on the checkout page, unchanged. */
export interface CheckoutFields {
  readonly name: string;
  readonly email: string;
  readonly mobileNumber: string;
  readonly tender: string;
}

export type CheckoutFaults = Partial<Record<keyof CheckoutFields, string>>;

export type ReadCheckout =
  | { readonly order: NewOrder }
  | { readonly fields: CheckoutFields; readonly faults: CheckoutFaults };

export const EMPTY_CHECKOUT: CheckoutFields = {
  name: '',
  email: '',
  mobileNumber: '',
  tender: 'E_TRANSFER',
};

/** The service's bounds (contract §4), so that the page shows the fault beside the field. */
const LONGEST_NAME = 100;
const LONGEST_EMAIL = 254;
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** Validates the checkout page's form; gives all faults at once. */
export function readCheckout(
  form: URLSearchParams,
  basketText: string | undefined,
  language: 'en' | 'fr',
): ReadCheckout {
  const text = (name: string) => (form.get(name) ?? '').trim();
  const fields = {
    name: text('name'),
    email: text('email'),
    mobileNumber: text('mobileNumber'),
    tender: text('tender'),
  };
  const faults = faultsOf(fields);
  if (Object.keys(faults).length > 0) return { fields, faults };
  const lines = linesOf(readBasket(basketText));
  return {
    order: {
      name: fields.name,
      email: fields.email || null,
      mobileNumber: fields.mobileNumber || null,
      language,
      tender: fields.tender as Tender,
      lines: lines.map(({ product, quantity, lineCents }) => ({
        name: product.name,
        quantity,
        lineCents,
      })),
      totalCents: totalCentsOf(lines),
    },
  };
}

function faultsOf({ name, email, mobileNumber, tender }: CheckoutFields): CheckoutFaults {
  const faults: CheckoutFaults = {};
  if (name === '') faults.name = 'Enter your name.';
  else if (name.length > LONGEST_NAME) faults.name = `Use at most ${LONGEST_NAME} characters.`;
  else if (/\p{Cc}/u.test(name)) faults.name = 'Use letters, spaces and punctuation only.';
  if (email === '' && mobileNumber === '') {
    faults.email = 'Enter your e-mail address, or a mobile number below.';
  } else if (email !== '' && (!EMAIL.test(email) || email.length > LONGEST_EMAIL)) {
    faults.email = 'Enter an e-mail address such as name@example.com.';
  }
  const digits = mobileNumber.replace(/[-+() ]/g, '');
  if (mobileNumber !== '' && !/^\d{10,15}$/.test(digits)) {
    faults.mobileNumber = 'Enter a mobile number with 10 to 15 digits.';
  }
  if (tender !== 'E_TRANSFER' && tender !== 'AT_PICKUP') faults.tender = 'Choose how to pay.';
  return faults;
}
