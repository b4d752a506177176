import type { Clock } from '#lib/clock.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { webhookUrlField } from '#payment-requests/model/field-rules.ts';
import type { NewPaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { NewPaymentRequestBody } from '#payment-requests/model/schemas.ts';
import {
  type JudgeWebhookUrlDeps,
  webhookUrlFaults,
} from '#payment-requests/model/validate-webhook-url.ts';
import { type CreationLimits, newPaymentRequest, ruleFaults } from './check-fields.ts';
import type { CreationRules } from './creation-hooks.ts';

export interface JudgeCreationDeps extends JudgeWebhookUrlDeps {
  readonly clock: Clock;
  readonly limits: CreationLimits;
  readonly rules: CreationRules;
}

/**
 * Judges a creation by every rule (contract §4, Create). It waits for the network (a webhook's
 * name is resolved), so it comes before the transaction. A refusal is returned, not thrown: the
 * same call may have been accepted a while ago, and is then answered as it was.
 *
 * @param body   what was sent, absent members dropped.
 * @param faults what the schema found wrong with it.
 * @returns what is to be created; or the Problem: VALIDATION_ERROR with all field faults at once,
 *          MERCHANT_MISMATCH, or what the simulator was asked to answer.
 */
export async function judgeCreation(
  deps: JudgeCreationDeps,
  merchant: Merchant,
  body: Partial<NewPaymentRequestBody>,
  faults: readonly FieldFault[],
): Promise<NewPaymentRequest | Problem> {
  const now = deps.clock.now();
  try {
    const checked = await check(deps, merchant, body, faults, now);
    return newPaymentRequest(checked, now, deps.limits);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

async function check(
  deps: JudgeCreationDeps,
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
  const field = webhookUrlField(body);
  if (field && !faults.has(field)) {
    add(await webhookUrlFaults(deps, merchant, field, body[field]));
  }
  if (typeof body.payer?.name === 'string') add(deps.rules.check(body.payer.name));
  if (faults.size > 0) throw new Problem('VALIDATION_ERROR', { errors: [...faults.values()] });
  const merchantId = body.merchant?.id;
  if (merchantId !== undefined && merchantId !== merchant.id) {
    throw new Problem('MERCHANT_MISMATCH');
  }
  return body as NewPaymentRequestBody;
}
