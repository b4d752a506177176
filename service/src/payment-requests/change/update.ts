import type { DatabaseDeps, Executor } from '#database/database.ts';
import { matchesSome } from '#http/headers/entity-tag.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { findOwnPaymentRequest } from '#payment-requests/lookup/find-own.ts';
import { webhookUrlField } from '#payment-requests/model/field-rules.ts';
import type { MessageHooks } from '#payment-requests/model/messages/message-hooks.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { isOpen, refusalOfStatus } from '#payment-requests/model/statuses.ts';
import {
  returnUrlFaults,
  type ValidateUrlsDeps,
  webhookUrlFaults,
} from '#payment-requests/model/validate-urls.ts';
import { lockOwnPaymentRequest } from '#payment-requests/status/lock-own.ts';
import { insertTimelineEntries } from '#payment-requests/timeline/timeline-store.ts';
import {
  changedFields,
  mergeUpdate,
  type PaymentRequestPatch,
  type UpdateLimits,
  updateFaults,
} from './check-fields.ts';
import { saveUpdate } from './update-store.ts';

export interface UpdateDeps extends DatabaseDeps, ValidateUrlsDeps, UpdateLimits {
  readonly messages: MessageHooks;
  /** Runs after the commit of a change, and wakes the waiters. */
  readonly onChanged: (id: string) => void;
}

export interface AskedUpdate {
  readonly id: string;
  readonly patch: PaymentRequestPatch;
  /** The schema's faults of the patch. */
  readonly faults: readonly FieldFault[];
  readonly ifMatch: string | undefined;
}

/**
 * Changes a CREATED payment request by a JSON Merge Patch (contract §4, Update). A patch that
 * changes no value leaves the version alone.
 *
 * @returns the payment request as it is now.
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND; VALIDATION_ERROR with all faults at once; the 409 of
 *         its status, which comes before 412 VERSION_MISMATCH (RFC 9110 §13.2.1).
 */
export async function updatePaymentRequest(
  deps: UpdateDeps,
  merchant: Merchant,
  asked: AskedUpdate,
): Promise<PaymentRequest> {
  const found = await findOwnPaymentRequest(deps.db, merchant.id, asked.id);
  const faults = [
    ...asked.faults.map(asImmutable),
    ...(await newWebhookUrlFaults(deps, merchant, found, asked)),
    ...newReturnUrlFaults(deps, merchant, found, asked),
  ];
  merge(deps, merchant, found, asked.patch, faults);
  const { locked, updated } = await deps.db.transaction(async (tx) => {
    const locked = await lockOwnPaymentRequest(tx, merchant.id, asked.id);
    const merged = merge(deps, merchant, locked, asked.patch, faults);
    const { status, version } = paymentRequestAt(locked, deps.clock.now());
    if (!isOpen(status)) throw refusalOfStatus(status);
    if (!matchesSome(asked.ifMatch, version)) throw new Problem('VERSION_MISMATCH');
    return { locked, updated: await save(tx, deps, locked, merged) };
  });
  if (updated.version !== locked.version) deps.onChanged(updated.id);
  return updated;
}

/** The merged payment request. @throws Problem VALIDATION_ERROR, with the faults found before. */
function merge(
  deps: UpdateDeps,
  { messageSettings }: Merchant,
  current: PaymentRequest,
  patch: PaymentRequestPatch,
  faultsBefore: readonly FieldFault[],
): PaymentRequest {
  const now = deps.clock.now();
  const merged = mergeUpdate(current, patch, now, deps.times, messageSettings);
  const faults = updateFaults(current, merged, patch, now, deps);
  throwFaults([...faultsBefore, ...faults]);
  return merged;
}

async function save(
  tx: Executor,
  { clock, messages }: UpdateDeps,
  locked: PaymentRequest,
  merged: PaymentRequest,
): Promise<PaymentRequest> {
  const fields = changedFields(locked, merged);
  if (fields.length === 0) return locked;
  const updated = { ...merged, version: locked.version + 1 };
  await saveUpdate(tx, updated);
  const hasMessages = locked.messagePlan ?? updated.messagePlan;
  const linkMessage = hasMessages ? await messages.updated(tx, locked, updated) : null;
  await insertTimelineEntries(tx, [
    { paymentRequestId: locked.id, type: 'UPDATED', occurredAt: clock.now(), details: { fields } },
  ]);
  return { ...updated, linkMessage };
}

/** A URL is resolved only if the URL is new and has no other fault. */
async function newWebhookUrlFaults(
  deps: UpdateDeps,
  merchant: Merchant,
  { webhook }: PaymentRequest,
  { patch, faults }: AskedUpdate,
): Promise<FieldFault[]> {
  const { webhookUrl, callbackUrl } = patch;
  const given = { webhookUrl: webhookUrl ?? undefined, callbackUrl: callbackUrl ?? undefined };
  const field = webhookUrlField(given);
  if (!field || given[field] === webhook?.url) return [];
  if (faults.some((fault) => fault.field === field)) return [];
  return webhookUrlFaults(deps, merchant, field, given[field]);
}

/** A returnUrl that stays is not validated again: its origin may have been removed since. */
function newReturnUrlFaults(
  deps: UpdateDeps,
  merchant: Merchant,
  { returnUrl }: PaymentRequest,
  { patch, faults }: AskedUpdate,
): FieldFault[] {
  if (patch.returnUrl === returnUrl) return [];
  if (faults.some(({ field }) => field === 'returnUrl')) return [];
  return returnUrlFaults(deps, merchant, patch.returnUrl);
}

/** An update refuses every member that is not changeable (contract §4, Update). */
function asImmutable(fault: FieldFault): FieldFault {
  if (fault.code !== 'UNKNOWN_FIELD') return fault;
  return { ...fault, code: 'IMMUTABLE_FIELD', message: `${fault.field} cannot be changed.` };
}
