import type { JsonCall } from '#http/json/call.ts';
import type { Clock } from '#lib/clock.ts';
import { firstFaults } from '#lib/first-faults.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { fault, webhookUrlField } from '#payment-requests/model/field-rules.ts';
import type { NewPaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { NewPaymentRequestBody } from '#payment-requests/model/schemas.ts';
import {
  returnUrlFaults,
  type ValidateUrlsDeps,
  webhookUrlFaults,
} from '#payment-requests/model/validate-urls.ts';
import { type CreationLimits, newPaymentRequest, readAmount, ruleFaults } from './check-fields.ts';
import type { CreationHooks } from './creation-hooks.ts';

export interface ValidateCreationDeps extends ValidateUrlsDeps {
  readonly clock: Clock;
  readonly limits: CreationLimits;
  readonly hooks: CreationHooks;
  /** Whether payers can transfer money to an account of the merchant. */
  readonly hasCreditorAccount: (merchantId: string) => Promise<boolean>;
  /** Whether a merchant's e-mails can follow a template. */
  readonly hasTemplate: (merchantId: string, id: string) => Promise<boolean>;
}

/**
 * Validates a creation by every rule (contract §4, Create). A webhook URL's name is resolved, so
 * call `validateCreation` before the transaction. A refusal is returned, not thrown: the call may
 * have been accepted earlier under its Idempotency-Key, and is then answered with that answer.
 *
 * @param body the body without absent members, and the schema's faults.
 * @returns the payment request to create; or the Problem: VALIDATION_ERROR with all field faults
 *          at once, MERCHANT_MISMATCH, NO_CREDITOR_ACCOUNT, or the problem that the payer's name
 *          asks the sandbox for.
 */
export async function validateCreation(
  deps: ValidateCreationDeps,
  merchant: Merchant,
  body: JsonCall,
): Promise<NewPaymentRequest | Problem> {
  try {
    return await validated(deps, merchant, body);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

async function validated(
  deps: ValidateCreationDeps,
  merchant: Merchant,
  { members, numberSources, faults: schemaFaults }: JsonCall,
): Promise<NewPaymentRequest> {
  const now = deps.clock.now();
  const body: Partial<NewPaymentRequestBody> = members;
  const amount = readAmount(numberSources.get('amount'), deps.limits);
  const amountFaults = typeof amount === 'object' && amount ? [amount] : [];
  const faults = firstFaults([
    ...schemaFaults,
    ...amountFaults,
    ...ruleFaults(body, deps.limits, now),
  ]);
  const urlField = webhookUrlField(body);
  if (urlField && !faults.some(({ field }) => field === urlField)) {
    faults.push(...(await webhookUrlFaults(deps, merchant, urlField, body[urlField])));
  }
  if (!faults.some(({ field }) => field === 'returnUrl')) {
    faults.push(...returnUrlFaults(deps, merchant, body.returnUrl));
  }
  if (typeof body.payer?.name === 'string') faults.push(...deps.hooks.check(body.payer.name));
  faults.push(...(await templateFaults(deps, merchant, body)));
  if (faults.length > 0 || typeof amount !== 'number') {
    throw new Problem('VALIDATION_ERROR', { errors: firstFaults(faults) });
  }
  const merchantId = body.merchant?.id;
  if (merchantId !== undefined && merchantId !== merchant.id) {
    throw new Problem('MERCHANT_MISMATCH');
  }
  const { network, times } = deps.limits;
  if (network?.needsCreditorAccount && !(await deps.hasCreditorAccount(merchant.id))) {
    throw new Problem('NO_CREDITOR_ACCOUNT');
  }
  const { messageSettings } = merchant;
  const read = { amountCents: amount, now, times, messageSettings };
  return newPaymentRequest(body as NewPaymentRequestBody, read);
}

/** Only an e-mail has a template: otherwise the id is a text of the merchant's own. */
async function templateFaults(
  { hasTemplate }: ValidateCreationDeps,
  { id }: Merchant,
  { deliveryMode, emailTemplate }: Partial<NewPaymentRequestBody>,
): Promise<FieldFault[]> {
  const named = emailTemplate?.id;
  if (deliveryMode !== 'EMAIL' || typeof named !== 'string') return [];
  if (await hasTemplate(id, named)) return [];
  const message = 'Give emailTemplate.id as a template of yours, or leave it out.';
  return [fault('emailTemplate.id', 'INVALID_VALUE', message)];
}
