import { createHash } from 'node:crypto';
import type { DatabaseDeps } from '#database/database.ts';
import type { JsonCall } from '#http/json/call.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { formatAmount } from '#lib/money.ts';
import { Problem } from '#lib/problem.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { findMerchant } from '#merchants/merchant-store.ts';
import { paymentRequestAnswer } from '#payment-requests/model/render-answer.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import { type CreateDeps, createPaymentRequest } from './create-payment-request.ts';
import { type ValidateCreationDeps, validateCreation } from './validate-creation.ts';

export interface CreateForPersonDeps extends DatabaseDeps, CreateDeps {
  readonly settings: PublicSettings;
  readonly validation: ValidateCreationDeps;
}

export interface AskedByPerson {
  readonly merchantId: string;
  /** The person, for the audit log. */
  readonly actor: string;
  /** Drawn for one form: the form counts once, however often it is sent. */
  readonly formKey: string;
  readonly body: JsonCall;
}

/**
 * Creates a payment request for a merchant's person, by the rules of the merchant's own call
 * (contract §4, Create). The audit log names the person and the sum, and holds no payer data.
 *
 * @returns the id of the payment request, also of the one that the form created before
 * @throws Problem as `validateCreation` and `createPaymentRequest`; MERCHANT_SUSPENDED
 */
export async function createForPerson(
  deps: CreateForPersonDeps,
  { merchantId, actor, formKey, body }: AskedByPerson,
): Promise<string> {
  const { db, clock, settings, validation } = deps;
  const merchant = await findMerchant(db, merchantId);
  if (merchant?.status !== 'ACTIVE') throw new Problem('MERCHANT_SUSPENDED');
  const validated = await validateCreation(validation, merchant, body);
  const call = { merchantId, key: `console:${formKey}`, fingerprint: fingerprintOf(body) };
  const { headers } = await answerOnce(db, call, async (tx) => {
    const created = await createPaymentRequest(tx, deps, merchant, validated);
    await recordAct(tx, { clock, actor }, 'PAYMENT_REQUEST_CREATED', merchantId, {
      paymentRequestId: created.id,
      amount: formatAmount(created.amountCents),
      currency: settings.currency,
    });
    return paymentRequestAnswer(201, created, settings);
  });
  return headers.location?.split('/').at(-1) ?? '';
}

/** The amount's text counts: as a number it may differ from what was typed. */
function fingerprintOf({ members, numberSources }: JsonCall): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([members, [...numberSources]]))
    .digest();
}
