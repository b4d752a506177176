import { parseInstant } from '#lib/instant.ts';
import { type AmountFault, formatAmount, parseAmountCents } from '#lib/money.ts';
import type { FieldFault } from '#lib/problem.ts';
import { defaultExpiry } from '#payment-requests/model/expiry.ts';
import {
  dueDateFaults,
  expiryDateTimeFaults,
  fault,
  textFaults,
  webhookNameFaults,
  webhookUrlField,
} from '#payment-requests/model/field-rules.ts';
import type { NewPaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { NewPaymentRequestBody } from '#payment-requests/model/schemas.ts';

export interface CreationLimits {
  readonly maxAmountCents: number;
}

const LONGEST_NAME = 100;
const MOBILE_PUNCTUATION = /[+\-() ]/g;

/** What is stored as text; the rest is judged by its value or not kept. */
const MEMBERS_KEPT: ReadonlySet<string> = new Set([
  'merchantTransactionId',
  'payer',
  'displayMessage',
  'invoiceNumber',
  'businessUnit',
  'emailTemplate',
  'webhookUrl',
  'callbackUrl',
  'metadata',
]);

/**
 * The rules of contract §4, Create, that a schema cannot say. `body` may still have faults of its
 * own; only members of the right type are judged, so that no field is faulted for two reasons.
 */
export function ruleFaults(body: Partial<NewPaymentRequestBody>, now: Date): FieldFault[] {
  return [
    ...payerFaults(body.payer),
    ...dueDateFaults(body.dueDate),
    ...expiryDateTimeFaults(body.expiryDateTime, now),
    ...webhookNameFaults(body),
    ...textFaults(body, MEMBERS_KEPT),
  ];
}

/** The checked body as the domain keeps it: values as sent, what is absent as null. */
export function newPaymentRequest(
  body: NewPaymentRequestBody,
  amountCents: number,
  now: Date,
): NewPaymentRequest {
  const { payer } = body;
  const dueDate = body.dueDate ?? null;
  const webhookField = webhookUrlField(body);
  return {
    merchantTransactionId: body.merchantTransactionId ?? null,
    amountCents,
    type: body.type,
    deliveryMode: body.deliveryMode ?? null,
    payer: {
      name: payer.name,
      merchantAccountId: payer.merchantAccountId ?? null,
      email: payer.email ?? null,
      mobileNumber: payer.mobileNumber ?? null,
      preferredLanguage: payer.preferredLanguage ?? null,
    },
    dueDate,
    displayMessage: body.displayMessage ?? null,
    invoiceNumber: body.invoiceNumber ?? null,
    businessUnit: body.businessUnit ?? null,
    emailTemplateId: body.emailTemplate?.id ?? null,
    webhook: webhookField && { field: webhookField, url: body[webhookField] as string },
    metadata: body.metadata ?? null,
    createdAt: now,
    expiresAt: parseInstant(body.expiryDateTime ?? '') ?? defaultExpiry(now, dueDate),
  };
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
  const result = parseAmountCents(source, limits.maxAmountCents);
  if (typeof result === 'number') return result;
  const messages: Readonly<Record<AmountFault, string>> = {
    INVALID_TYPE: 'Give amount as a number.',
    TOO_LOW: 'Give amount as at least 0.01.',
    TOO_HIGH: `Give amount as at most ${formatAmount(limits.maxAmountCents)}.`,
    TOO_MANY_DECIMALS: 'Give amount with at most two decimals.',
  };
  return fault('amount', result, messages[result]);
}

function payerFaults(payer: Partial<NewPaymentRequestBody['payer']> | undefined): FieldFault[] {
  if (typeof payer !== 'object' || Array.isArray(payer)) return [];
  const faults: FieldFault[] = [];
  if (typeof payer.name === 'string' && payer.name !== '') {
    const length = [...payer.name.trim()].length;
    if (length === 0) faults.push(fault('payer.name', 'TOO_SHORT', 'Give payer.name.'));
    if (length > LONGEST_NAME) {
      const message = `Give payer.name at most ${LONGEST_NAME} characters.`;
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
