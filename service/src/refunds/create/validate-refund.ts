import { createHash } from 'node:crypto';
import type { JsonCall } from '#http/json/call.ts';
import { firstFaults } from '#lib/first-faults.ts';
import { type AmountFault, parseAmountCents } from '#lib/money.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { currencyFaults, fault, textFaults } from '#payment-requests/model/field-rules.ts';
import { type ValidateUrlsDeps, webhookUrlFaults } from '#payment-requests/model/validate-urls.ts';
import type { NewRefundBody } from '#refunds/model/schemas.ts';
import type { NewRefund } from './decide-creation.ts';

/** Far above any payment, and exact as a number. */
export const HIGHEST_AMOUNT_CENTS = 10 ** 13 - 1;

const TEXT_FIELDS: ReadonlySet<string> = new Set(['message']);

export interface ValidateRefundDeps extends ValidateUrlsDeps {
  /** The deployment's one currency, ISO 4217. */
  readonly currency: string;
  /** In the sandbox: what is wrong with a message that chooses an outcome; null: nothing. */
  readonly messageFault: (message: string) => string | null;
}

export interface ValidatedRefund {
  readonly validated: NewRefund | Problem;
  /** null: the body has none, or a value that no refund can have. */
  readonly merchantRefundId: string | null;
}

/**
 * Validates the body of a refund by every rule that needs no payment request (contract §11). A
 * refusal is returned, not thrown: an earlier call may have used the merchantRefundId, and is
 * answered first. A webhook URL's name is resolved, so call it before the transaction.
 *
 * @param hasKey whether the call has an Idempotency-Key
 */
export async function validateRefund(
  deps: ValidateRefundDeps,
  merchant: Merchant,
  { members, numberSources, faults: schemaFaults }: JsonCall,
  hasKey: boolean,
): Promise<ValidatedRefund> {
  const body: Partial<NewRefundBody> = members;
  const amount = readAmount('amount', numberSources.get('amount'), 1);
  const expected = readAmount(
    'expectedAmountAvailable',
    numberSources.get('expectedAmountAvailable'),
    0,
  );
  const faults = firstFaults([
    ...schemaFaults,
    ...[amount, expected].filter((read) => typeof read === 'object' && read !== null),
    ...currencyFaults(body.currency, deps.currency),
    ...textFaults(body, TEXT_FIELDS),
    ...messageFaults(deps, body),
    ...repeatFaults(body, hasKey),
  ]);
  if (!faults.some(({ field }) => field === 'webhookUrl')) {
    faults.push(...(await webhookUrlFaults(deps, merchant, 'webhookUrl', body.webhookUrl)));
  }
  const isIdFaulty = faults.some(({ field }) => field === 'merchantRefundId');
  const merchantRefundId = isIdFaulty ? null : (body.merchantRefundId ?? null);
  if (faults.length > 0) {
    return { merchantRefundId, validated: new Problem('VALIDATION_ERROR', { errors: faults }) };
  }
  return {
    merchantRefundId,
    validated: {
      amountCents: typeof amount === 'number' ? amount : null,
      expectedAvailableCents: typeof expected === 'number' ? expected : null,
      reason: body.reason ?? 'REQUESTED_BY_CUSTOMER',
      message: body.message ?? null,
      webhookUrl: body.webhookUrl ?? null,
    },
  };
}

/** SHA-256 of a body as it was sent; a call without a body has the hash of no bytes. */
export function bodyHashOf(bytes: Buffer | undefined): Buffer {
  return createHash('sha256')
    .update(bytes ?? Buffer.alloc(0))
    .digest();
}

function messageFaults(
  { messageFault }: ValidateRefundDeps,
  { message }: Partial<NewRefundBody>,
): FieldFault[] {
  const sentence = typeof message === 'string' ? messageFault(message) : null;
  return sentence === null ? [] : [fault('message', 'INVALID_VALUE', sentence)];
}

/** A refund that no id names would happen twice when its answer is lost. */
function repeatFaults({ merchantRefundId }: Partial<NewRefundBody>, hasKey: boolean): FieldFault[] {
  if (merchantRefundId !== undefined || hasKey) return [];
  const message = 'Give merchantRefundId, or the header Idempotency-Key.';
  return [fault('merchantRefundId', 'REQUIRED_ONE_OF', message)];
}

/** Reads an amount from its source text; null without one: the schema faults what is no number. */
function readAmount(
  field: 'amount' | 'expectedAmountAvailable',
  source: string | undefined,
  lowestCents: 0 | 1,
): number | FieldFault | null {
  if (source === undefined) return null;
  const result = parseAmountCents(source, HIGHEST_AMOUNT_CENTS);
  if (typeof result === 'number') return result;
  if (lowestCents === 0 && result === 'TOO_LOW' && !source.startsWith('-')) return 0;
  const messages: Readonly<Record<AmountFault, string>> = {
    INVALID_TYPE: `Give ${field} as a number.`,
    TOO_LOW: `Give ${field} as at least 0.0${lowestCents}.`,
    TOO_HIGH: `Give ${field} as an amount that can be.`,
    TOO_MANY_DECIMALS: `Give ${field} with at most two decimals.`,
  };
  return fault(field, result, messages[result]);
}
