import { parseInstant } from '#lib/instant.ts';
import { mergePatch } from '#lib/json/merge-patch.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { MessageSettings } from '#merchants/model/message-settings.ts';
import { defaultExpiry, type ExpiryTimes } from '#payment-requests/model/expiry.ts';
import {
  CHANGEABLE_FIELDS,
  type ChangeableField,
  KEPT_FIELDS,
  type KeptField,
} from '#payment-requests/model/field-lists.ts';
import {
  CHANGEABLE_TEXT_FIELDS,
  dueDateFaults,
  expiryDateTimeFaults,
  fault,
  textFaults,
  webhookNameFaults,
} from '#payment-requests/model/field-rules.ts';
import { FIELDS, MOST_METADATA_KEYS } from '#payment-requests/model/fields.ts';
import {
  CHANNELS,
  expiryBeforeSendingFaults,
  LINK_ALONE,
  planMessages,
  sendDateTimeFaults,
} from '#payment-requests/model/messages/delivery.ts';
import {
  channelFaults,
  type MessageChannels,
  payerFaults,
} from '#payment-requests/model/messages/payer-rules.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { PaymentRequestUpdateBody } from './schemas.ts';

/** The limits of the deployment that an update meets. */
export interface UpdateLimits {
  readonly times: ExpiryTimes;
  readonly channels: MessageChannels;
}

/** The members of a patch: a value replaces, null removes, and `undefined` changes nothing. */
export type PaymentRequestPatch = Partial<PaymentRequestUpdateBody>;

/** The changeable fields that a patch replaces whole. */
type ReplacedField = Exclude<ChangeableField & KeptField, 'metadata' | 'delivery'>;
const REPLACED_FIELDS = KEPT_FIELDS.filter(
  (name): name is ReplacedField =>
    FIELDS[name].set === 'WHILE_CREATED' && name !== 'metadata' && name !== 'delivery',
);

/**
 * The payment request with a merge patch applied (contract §4, Update). `dueDate` does not move the
 * expiry; a removed expiry becomes the default expiry. Pure. `updateFaults` finds the faults of the
 * patch; with a fault, the merged payment request is not used.
 */
export function mergeUpdate(
  current: PaymentRequest,
  patch: PaymentRequestPatch,
  now: Date,
  times: ExpiryTimes,
  settings: MessageSettings,
): PaymentRequest {
  const replaced = REPLACED_FIELDS.map((name) => [name, patched(current[name], patch[name])]);
  const merged: PaymentRequest = { ...current, ...Object.fromEntries(replaced) };
  const delivery = patched(current.delivery, patch.delivery);
  return {
    ...merged,
    payer: { ...current.payer, ...given(patch.payer) },
    delivery,
    // Settings are for later payment requests: a plan stays until the merchant gives another one.
    messagePlan:
      patch.delivery === undefined
        ? current.messagePlan
        : newPlan({ ...current, delivery }, settings),
    expiresAt: mergedExpiry(current, patch, () =>
      defaultExpiry(current.createdAt, merged.dueDate, now, times),
    ),
    webhook: mergedWebhook(current, patch),
    metadata: mergedMetadata(current, patch),
  };
}

/** A link may have been sent by a call: its messages follow the payment request to the end. */
function newPlan(merged: PaymentRequest, settings: MessageSettings): PaymentRequest['messagePlan'] {
  const { messagePlan: before } = merged;
  return planMessages(merged, settings) ?? (before && { ...before, ...LINK_ALONE });
}

/**
 * Finds the faults that no schema finds, by the rules of a creation. A value that equals the stored
 * one is not validated again: an expiry may be nearer than 5 minutes by now.
 */
export function updateFaults(
  current: PaymentRequest,
  merged: PaymentRequest,
  patch: PaymentRequestPatch,
  now: Date,
  { times, channels }: UpdateLimits,
): FieldFault[] {
  const set = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null));
  return [
    ...(patch.payer === undefined ? [] : newPayerFaults(merged, patch, channels)),
    ...deliveryFaults(current, merged, now),
    ...dueDateFaults(set.dueDate),
    ...expiryFaults(current, merged, patch, now, times),
    ...webhookNameFaults(set),
    ...metadataFaults(merged),
    ...textFaults(set, CHANGEABLE_TEXT_FIELDS),
  ];
}

/** The fields whose values a merge changed; empty when it changed nothing. */
export function changedFields(before: PaymentRequest, after: PaymentRequest): ChangeableField[] {
  return CHANGEABLE_FIELDS.filter((name) => compared(name, before) !== compared(name, after));
}

/** Values that compare with `===`, for the fields whose stored value does not. */
const COMPARED: Readonly<
  Record<Exclude<ChangeableField, ReplacedField>, (p: PaymentRequest) => unknown>
> = {
  expiryDateTime: (p) => p.expiresAt.getTime(),
  webhookUrl: ({ webhook }) => (webhook?.field === 'webhookUrl' ? webhook.url : null),
  callbackUrl: ({ webhook }) => (webhook?.field === 'callbackUrl' ? webhook.url : null),
  metadata: (p) => JSON.stringify(p.metadata),
  payer: ({ payer }) => JSON.stringify([payer.email, payer.mobileNumber]),
  delivery: (p) => JSON.stringify(p.delivery),
};

function compared(name: ChangeableField, paymentRequest: PaymentRequest): unknown {
  return isReplaced(name) ? paymentRequest[name] : COMPARED[name](paymentRequest);
}

function isReplaced(name: ChangeableField): name is ReplacedField {
  return !(name in COMPARED);
}

/** The members of a patch that are not left out. */
function given<Patch extends object>(patch: Patch | undefined): Partial<Patch> {
  const members = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as Partial<Patch>;
}

/** The channel of a payment request that exists stays available to it. */
function newPayerFaults(
  { deliveryMode, payer }: PaymentRequest,
  patch: PaymentRequestPatch,
  channels: MessageChannels,
): FieldFault[] {
  const { email, mobileNumber } = { ...payer, ...given(patch.payer) };
  return [
    ...channelFaults(deliveryMode, { email, mobileNumber }, { ...channels, available: CHANNELS }),
    ...payerFaults({ email, mobileNumber }),
  ];
}

/** A sending that stays is not validated again: its instant may have passed. */
function deliveryFaults(current: PaymentRequest, merged: PaymentRequest, now: Date): FieldFault[] {
  const { delivery, expiresAt } = merged;
  if (delivery?.sendDateTime !== current.delivery?.sendDateTime) {
    return sendDateTimeFaults(delivery, now, expiresAt);
  }
  const isMoved = expiresAt.getTime() !== current.expiresAt.getTime();
  return isMoved ? expiryBeforeSendingFaults(delivery, expiresAt) : [];
}

function patched<Value>(current: Value, patch: Value | undefined): Value {
  return patch === undefined ? current : patch;
}

/** A patch without metadata must not merge: absent metadata would become an empty object. */
function mergedMetadata(
  { metadata }: PaymentRequest,
  patch: PaymentRequestPatch,
): PaymentRequest['metadata'] {
  if (patch.metadata === undefined) return metadata;
  return mergePatch(metadata, patch.metadata) as PaymentRequest['metadata'];
}

function mergedExpiry(
  current: PaymentRequest,
  { expiryDateTime }: PaymentRequestPatch,
  ofCreation: () => Date,
): Date {
  if (expiryDateTime === undefined) return current.expiresAt;
  return expiryDateTime === null
    ? ofCreation()
    : (parseInstant(expiryDateTime) ?? current.expiresAt);
}

/**
 * Either name of the webhook URL replaces the URL, and answers then show that name. Only null under
 * the present name removes the URL: some clients send null for every absent member.
 */
function mergedWebhook(
  { webhook }: PaymentRequest,
  { webhookUrl, callbackUrl }: PaymentRequestPatch,
): PaymentRequest['webhook'] {
  if (typeof webhookUrl === 'string') return { field: 'webhookUrl', url: webhookUrl };
  if (typeof callbackUrl === 'string') return { field: 'callbackUrl', url: callbackUrl };
  const own = webhook?.field === 'callbackUrl' ? callbackUrl : webhookUrl;
  return own === null ? null : webhook;
}

function expiryFaults(
  current: PaymentRequest,
  { expiresAt }: PaymentRequest,
  { expiryDateTime }: PaymentRequestPatch,
  now: Date,
  times: ExpiryTimes,
): FieldFault[] {
  const isUnchanged = expiresAt.getTime() === current.expiresAt.getTime();
  return isUnchanged ? [] : expiryDateTimeFaults(expiryDateTime, now, times);
}

function metadataFaults({ metadata }: PaymentRequest): FieldFault[] {
  if (typeof metadata !== 'object' || metadata === null) return [];
  if (Object.keys(metadata).length <= MOST_METADATA_KEYS) return [];
  return [fault('metadata', 'TOO_LONG', `Give metadata at most ${MOST_METADATA_KEYS} members.`)];
}
