import type { NetworkLimits } from '#e-transfer/e-transfer-network.ts';
import { compileMapping, type Origins } from '#lib/compile-mapping.ts';
import { parseInstant } from '#lib/instant.ts';
import { type AmountFault, formatAmount, parseAmountCents } from '#lib/money.ts';
import type { FieldFault } from '#lib/problem.ts';
import { defaultExpiry, type ExpiryTimes } from '#payment-requests/model/expiry.ts';
import { type ConvertedField, KEPT_FIELDS } from '#payment-requests/model/field-lists.ts';
import {
  currencyFaults,
  dueDateFaults,
  expiryDateTimeFaults,
  fault,
  TEXT_FIELDS,
  textFaults,
  webhookNameFaults,
  webhookUrlField,
} from '#payment-requests/model/field-rules.ts';
import { PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import type { NewPaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { NewPaymentRequestBody } from '#payment-requests/model/schemas.ts';

export interface CreationLimits {
  readonly maxAmountCents: number;
  /** The deployment's one currency, ISO 4217. */
  readonly currency: string;
  readonly times: ExpiryTimes;
  /** The limits of the network; null: a deployment without a network. */
  readonly network: NetworkLimits | null;
}

export const LONGEST_PAYER_NAME = 100;
const MOBILE_PUNCTUATION = /[+\-() ]/g;

/**
 * Finds the faults that no schema finds (contract §4, Create). The schema may have found other
 * faults in `body`; `ruleFaults` validates only members of the right type.
 */
export function ruleFaults(
  body: Partial<NewPaymentRequestBody>,
  limits: CreationLimits,
  now: Date,
): FieldFault[] {
  return [
    ...networkCurrencyFaults(limits),
    ...currencyFaults(body.currency, limits.currency),
    ...payerFaults(body.payer),
    ...dueDateFaults(body.dueDate),
    ...expiryDateTimeFaults(body.expiryDateTime, now, limits.times),
    ...webhookNameFaults(body),
    ...textFaults(body, TEXT_FIELDS),
  ];
}

interface ReadValues {
  readonly amountCents: number;
  readonly now: Date;
  readonly times: ExpiryTimes;
}

type Properties = Origins<NewPaymentRequestBody, ReadValues>;

/** The properties of `NewPaymentRequest` that hold the converted fields. */
const CONVERTED: Readonly<Record<ConvertedField, Properties>> = {
  amount: { amountCents: (_, { amountCents }) => amountCents },
  payer: {
    payer: Object.fromEntries(Object.keys(PAYER_FIELDS).map((name) => [name, `payer.${name}`])),
  },
  expiryDateTime: {
    expiresAt: ({ expiryDateTime = '', dueDate = null }, { now, times }) =>
      parseInstant(expiryDateTime) ?? defaultExpiry(now, dueDate, now, times),
  },
  emailTemplate: { emailTemplateId: ({ emailTemplate }) => emailTemplate?.id ?? null },
  webhookUrl: { webhook: webhookOf },
  callbackUrl: {},
};

/** The validated body as the domain keeps it: values as sent, null for an absent field. */
export const newPaymentRequest = compileMapping<
  NewPaymentRequestBody,
  NewPaymentRequest,
  ReadValues
>(
  {
    ...Object.fromEntries(KEPT_FIELDS.map((name) => [name, name])),
    ...Object.assign({}, ...Object.values(CONVERTED)),
    createdAt: (_, { now }) => now,
  },
  'null',
);

function webhookOf(body: NewPaymentRequestBody): NewPaymentRequest['webhook'] {
  const field = webhookUrlField(body);
  return field && { field, url: body[field] ?? '' };
}

/**
 * Reads the amount from its source text.
 *
 * @param source undefined for an amount that is absent or no number: the schema faults those.
 * @returns the amount in cents, or its fault; null without a source.
 */
export function readAmount(
  source: string | undefined,
  limits: CreationLimits,
): number | FieldFault | null {
  if (source === undefined) return null;
  const highest = limits.network?.highestAmountCents ?? limits.maxAmountCents;
  const mostCents = Math.min(limits.maxAmountCents, highest);
  const result = parseAmountCents(source, mostCents);
  if (typeof result === 'number') return result;
  const messages: Readonly<Record<AmountFault, string>> = {
    INVALID_TYPE: 'Give amount as a number.',
    TOO_LOW: 'Give amount as at least 0.01.',
    TOO_HIGH: `Give amount as at most ${formatAmount(mostCents)}.`,
    TOO_MANY_DECIMALS: 'Give amount with at most two decimals.',
  };
  return fault('amount', result, messages[result]);
}

function networkCurrencyFaults({ currency, network }: CreationLimits): FieldFault[] {
  if (network?.currencies?.includes(currency) ?? true) return [];
  const message = `The network of this service carries no ${currency}.`;
  return [fault('currency', 'INVALID_VALUE', message)];
}

function payerFaults(payer: Partial<NewPaymentRequestBody['payer']> | undefined): FieldFault[] {
  if (typeof payer !== 'object' || Array.isArray(payer)) return [];
  const faults: FieldFault[] = [];
  if (typeof payer.name === 'string' && payer.name !== '') {
    const length = [...payer.name.trim()].length;
    if (length === 0) faults.push(fault('payer.name', 'TOO_SHORT', 'Give payer.name.'));
    if (length > LONGEST_PAYER_NAME) {
      const message = `Give payer.name at most ${LONGEST_PAYER_NAME} characters.`;
      faults.push(fault('payer.name', 'TOO_LONG', message));
    }
  }
  if (payer.email === undefined && payer.mobileNumber === undefined) {
    const message = 'Give payer.email or payer.mobileNumber.';
    faults.push(fault('payer.email', 'REQUIRED_ONE_OF', message));
  }
  if (typeof payer.email === 'string' && !/^[^@\s]+@[^@\s]+$/.test(payer.email)) {
    const message = 'Give payer.email as an e-mail address with one @ and no spaces.';
    faults.push(fault('payer.email', 'INVALID_FORMAT', message));
  }
  if (typeof payer.mobileNumber === 'string' && !isMobileNumber(payer.mobileNumber)) {
    const message = 'Give payer.mobileNumber with 10 to 15 digits, beside + - ( ) and spaces.';
    faults.push(fault('payer.mobileNumber', 'INVALID_FORMAT', message));
  }
  return faults;
}

function isMobileNumber(text: string): boolean {
  return /^\d{10,15}$/.test(text.replace(MOBILE_PUNCTUATION, ''));
}
