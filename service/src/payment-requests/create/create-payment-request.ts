import type { Executor } from '#database/database.ts';
import { currentCall } from '#lib/call-context.ts';
import { newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { hasTransactionId } from '#payment-requests/lookup/find-store.ts';
import type { NewPaymentRequest, PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { newShortCode } from '#payment-requests/model/short-code.ts';
import type { CreationHooks } from './creation-hooks.ts';
import { insertPaymentRequests, type NewIdentity } from './insert-store.ts';

export interface CreateDeps {
  readonly hooks: CreationHooks;
}

/**
 * Creates a payment request (contract §4, Create) in the caller's transaction: the request, its
 * CREATED event and what the environment schedules.
 *
 * @param validated what `validateCreation` made of the call.
 * @throws Problem the refusal it was validated to, or DUPLICATE_MERCHANT_TRANSACTION_ID.
 */
export async function createPaymentRequest(
  tx: Executor,
  { hooks }: CreateDeps,
  merchant: Merchant,
  validated: NewPaymentRequest | Problem,
): Promise<PaymentRequest> {
  if (validated instanceof Problem) throw validated;
  const identity = newIdentity(merchant);
  const transactionId = validated.merchantTransactionId;
  const isTransactionIdUnique = merchant.uniqueTransactionIds && transactionId !== null;
  // Requests from before the setting was turned on are not in the unique index.
  if (isTransactionIdUnique && (await hasTransactionId(tx, merchant.id, transactionId))) {
    throw new Problem('DUPLICATE_MERCHANT_TRANSACTION_ID');
  }
  const row = { identity, asked: validated, isTransactionIdUnique };
  await insertPaymentRequests(tx, [row]).catch(refuseDuplicate);
  await hooks.schedule(tx, { id: identity.id, payerName: validated.payer.name });
  return createdPaymentRequest(merchant, identity, validated);
}

/** In the context of the call: a batch that is written later belongs to none. */
export function newIdentity(merchant: Merchant): NewIdentity {
  const { requestId = null, traceparent = null } = currentCall() ?? {};
  return {
    id: newId(),
    shortCode: newShortCode(),
    merchantId: merchant.id,
    requestId,
    traceparent,
  };
}

/** A payment request as it is right after its creation. Pure. */
export function createdPaymentRequest(
  merchant: Merchant,
  { id, shortCode, traceparent }: NewIdentity,
  asked: NewPaymentRequest,
): PaymentRequest {
  return {
    ...asked,
    id,
    shortCode,
    traceparent,
    merchant: { id: merchant.id, name: merchant.name },
    status: 'CREATED',
    statusReason: null,
    paidLate: false,
    payment: null,
    version: 1,
    webhookSequence: 0,
    events: [{ status: 'CREATED', occurredAt: asked.createdAt }],
  };
}

/** Two creations at once with one id: the second meets the unique index. */
function refuseDuplicate(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint !== 'payment_requests_unique_transaction') throw error;
  throw new Problem('DUPLICATE_MERCHANT_TRANSACTION_ID', { cause: error });
}
