import type { Database } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import {
  type CreationLimits,
  newPaymentRequest,
  ruleFaults,
  webhookUrlField,
} from './check-new-payment-request.ts';
import type { CreationRules } from './creation-rules.ts';
import type { PaymentRequest } from './payment-request.ts';
import type { NewPaymentRequestBody } from './payment-request-schemas.ts';
import { hasTransactionId, insertPaymentRequest } from './payment-request-store.ts';
import { newShortCode } from './short-code.ts';

export interface CreateDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly limits: CreationLimits;
  readonly rules: CreationRules;
  /** Why a webhook URL cannot be called, as a sentence; null when it can. */
  readonly webhookUrlFault: (url: string) => Promise<string | null>;
  /** Production: a webhookUrl must lie at an origin that the merchant registered (contract §4). */
  readonly areWebhookOriginsRegistered: boolean;
}

/**
 * Creates a payment request (contract §4, Create): checks every rule, then writes the request, its
 * CREATED event and what the environment schedules, in one transaction.
 *
 * @param body   what was sent, absent members dropped.
 * @param faults what the schema found wrong with it.
 * @throws Problem VALIDATION_ERROR with all field faults at once, MERCHANT_MISMATCH,
 *         DUPLICATE_MERCHANT_TRANSACTION_ID, or what the simulator was asked to answer.
 */
export async function createPaymentRequest(
  deps: CreateDeps,
  merchant: Merchant,
  body: Partial<NewPaymentRequestBody>,
  faults: readonly FieldFault[],
): Promise<PaymentRequest> {
  const now = deps.clock.now();
  const checked = await check(deps, merchant, body, faults, now);
  const asked = newPaymentRequest(checked, now, deps.limits);
  const identity = { id: newId(), shortCode: newShortCode(), merchantId: merchant.id };
  const transactionId = asked.merchantTransactionId;
  const isTransactionIdUnique = merchant.uniqueTransactionIds && transactionId !== null;
  await deps.db
    .transaction(async (tx) => {
      // Requests from before the setting was turned on are not in the unique index.
      if (isTransactionIdUnique && (await hasTransactionId(tx, merchant.id, transactionId))) {
        throw new Problem('DUPLICATE_MERCHANT_TRANSACTION_ID');
      }
      await insertPaymentRequest(tx, identity, asked, { isTransactionIdUnique });
      await deps.rules.schedule(tx, { id: identity.id, payerName: asked.payer.name });
    })
    .catch(refuseDuplicate);
  return {
    ...asked,
    id: identity.id,
    shortCode: identity.shortCode,
    merchant: { id: merchant.id, name: merchant.name },
    status: 'CREATED',
    statusReason: null,
    paidLate: false,
    payment: null,
    version: 1,
    webhookSequence: 0,
    events: [{ status: 'CREATED', occurredAt: now }],
  };
}

async function check(
  deps: CreateDeps,
  merchant: Merchant,
  body: Partial<NewPaymentRequestBody>,
  schemaFaults: readonly FieldFault[],
  now: Date,
): Promise<NewPaymentRequestBody> {
  const faults = new Map<string, FieldFault>();
  const add = (found: readonly FieldFault[]) => {
    for (const fault of found) if (!faults.has(fault.field)) faults.set(fault.field, fault);
  };
  add(schemaFaults);
  add(ruleFaults(body, now, deps.limits));
  add(await webhookFaults(deps, merchant, body, faults));
  if (typeof body.payer?.name === 'string') add(deps.rules.check(body.payer.name));
  if (faults.size > 0) throw new Problem('VALIDATION_ERROR', { errors: [...faults.values()] });
  const merchantId = body.merchant?.id;
  if (merchantId !== undefined && merchantId !== merchant.id) {
    throw new Problem('MERCHANT_MISMATCH');
  }
  return body as NewPaymentRequestBody;
}

/** Judged at once, so that a bad address is a 400 and not a silent loss (contract §4). */
async function webhookFaults(
  deps: CreateDeps,
  merchant: Merchant,
  body: Partial<NewPaymentRequestBody>,
  faults: ReadonlyMap<string, FieldFault>,
): Promise<FieldFault[]> {
  const field = webhookUrlField(body);
  const url = field && body[field];
  if (!field || typeof url !== 'string' || url === '' || faults.has(field)) return [];
  const reason = await deps.webhookUrlFault(url);
  if (reason) return [{ field, code: 'INVALID_VALUE', message: reason }];
  const { origin } = new URL(url);
  if (!deps.areWebhookOriginsRegistered || merchant.webhookOrigins.includes(origin)) return [];
  const message = `${origin} is not an origin that this merchant registered for webhooks.`;
  return [{ field, code: 'INVALID_VALUE', message }];
}

/** Two creations at once with one id: the second meets the unique index. */
function refuseDuplicate(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint !== 'payment_requests_unique_transaction') throw error;
  throw new Problem('DUPLICATE_MERCHANT_TRANSACTION_ID', { cause: error });
}
