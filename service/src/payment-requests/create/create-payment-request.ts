import type { Executor } from '#database/database.ts';
import { currentCall } from '#lib/call-context.ts';
import { newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { hasTransactionId } from '#payment-requests/lookup/find-store.ts';
import { channelOf, sendingAt } from '#payment-requests/model/messages/delivery.ts';
import type { MessageHooks } from '#payment-requests/model/messages/message-hooks.ts';
import { NO_SUMS } from '#payment-requests/model/money/sums.ts';
import type { NewPaymentRequest, PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { newShortCode } from '#payment-requests/model/short-code.ts';
import type { CreationHooks } from './creation-hooks.ts';
import { insertPaymentRequests, type NewIdentity } from './insert-store.ts';

export interface CreateDeps {
  /** `CELL`: its mark begins each short code. */
  readonly cell: number;
  readonly hooks: CreationHooks;
  readonly messages: MessageHooks;
}

/**
 * Creates a payment request in the caller's transaction (contract §4, Create): writes the row,
 * which is also the CREATED event, and runs the creation hooks.
 *
 * @param validated the result of `validateCreation`.
 * @throws Problem the refusal in `validated`, or DUPLICATE_MERCHANT_TRANSACTION_ID.
 */
export async function createPaymentRequest(
  tx: Executor,
  { hooks, messages, cell }: CreateDeps,
  merchant: Merchant,
  validated: NewPaymentRequest | Problem,
): Promise<PaymentRequest> {
  if (validated instanceof Problem) throw validated;
  const identity = newIdentity(merchant, cell);
  const transactionId = validated.merchantTransactionId;
  const isTransactionIdUnique = merchant.uniqueTransactionIds && transactionId !== null;
  // The unique index lacks the requests that are older than the merchant's setting.
  if (isTransactionIdUnique && (await hasTransactionId(tx, merchant.id, transactionId))) {
    throw new Problem('DUPLICATE_MERCHANT_TRANSACTION_ID');
  }
  const row = { identity, asked: validated, isTransactionIdUnique };
  await insertPaymentRequests(tx, [row]).catch(refuseDuplicate);
  await hooks.schedule(tx, { id: identity.id, payerName: validated.payer.name });
  const created = createdPaymentRequest(merchant, identity, validated);
  if (created.messagePlan) await messages.created(tx, [created]);
  return created;
}

/** Call `newIdentity` in the context of the call: a batch is written outside every call. */
export function newIdentity(merchant: Merchant, cell: number): NewIdentity {
  const { requestId = null, traceparent = null } = currentCall() ?? {};
  return {
    id: newId(),
    shortCode: newShortCode(cell),
    merchantId: merchant.id,
    requestId,
    traceparent,
  };
}

/** The payment request right after its creation. Pure. */
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
    sums: NO_SUMS,
    version: 1,
    webhookSequence: 0,
    events: [{ status: 'CREATED', occurredAt: asked.createdAt }],
    linkMessage: firstLinkMessage(asked),
  };
}

/** The message that carries the link, before its row is written. */
function firstLinkMessage({ deliveryMode, delivery, createdAt }: NewPaymentRequest) {
  if (channelOf(deliveryMode) === null) return null;
  const at = sendingAt(delivery, createdAt);
  return { id: newId(), status: 'SCHEDULED', reason: null, at } as const;
}

/** The unique index refuses the second of two concurrent creations with one id. */
function refuseDuplicate(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint !== 'payment_requests_unique_transaction') throw error;
  throw new Problem('DUPLICATE_MERCHANT_TRANSACTION_ID', { cause: error });
}
