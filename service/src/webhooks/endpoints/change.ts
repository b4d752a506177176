import type { Executor } from '#database/database.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { AuditAction } from '#merchants/audit-actions.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { newSigningSecret } from '#merchants/new-secret.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { forgetFailures } from '#webhooks/sending/destination-store.ts';
import {
  boxEndpointSecret,
  checkEndpointUrl,
  descriptionFault,
  type EndpointDeps,
  eventTypesFault,
  eventTypesOf,
  listenerOf,
} from './check-fields.ts';
import { updateEndpoint } from './endpoint-store.ts';
import { lockOwnEndpoint } from './find-own.ts';
import { type EndpointChangeDeps, refuseDuplicate } from './register.ts';
import { endpointMembers, type NewEndpointSecrets } from './render-json.ts';
import type { EndpointUpdateBody } from './schemas.ts';

/**
 * Checks a change of an endpoint, before any transaction.
 *
 * @throws Problem VALIDATION_ERROR with all faults at once
 */
export async function checkEndpointUpdate(
  deps: EndpointDeps,
  { merchant, current }: { readonly merchant: Merchant; readonly current: WebhookEndpoint },
  patch: Partial<EndpointUpdateBody>,
  faults: readonly FieldFault[],
): Promise<Partial<EndpointUpdateBody>> {
  const checked = await checkEndpointUrl(deps, merchant, patch.url, current.url);
  const urlFault = checked && 'fault' in checked ? checked.fault : null;
  const textFaults = [eventTypesFault(patch.eventTypes), descriptionFault(patch.description)];
  throwFaults([...neverAbsent(patch), ...faults, urlFault, ...textFaults]);
  return checked && 'url' in checked ? { ...patch, url: checked.url } : patch;
}

/** Null or the empty string does not take away a field that an endpoint cannot be without. */
function neverAbsent(patch: object): FieldFault[] {
  return (['url', 'status'] as const)
    .filter((field) => (patch as Record<string, unknown>)[field] === null)
    .map((field) => ({ field, code: 'REQUIRED', message: `Give ${field}.` }));
}

/**
 * Changes an endpoint (PATCH, JSON Merge Patch). An endpoint that moves to another origin gets new
 * credentials and a new signing secret, which the answer shows once. The old credentials are then
 * useless to anyone who has them, and the new origin never sees them.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND, DUPLICATE_WEBHOOK_ENDPOINT
 */
export async function changeEndpoint(
  tx: Executor,
  deps: EndpointChangeDeps,
  merchantId: string,
  id: string,
  patch: Partial<EndpointUpdateBody>,
) {
  if (patch.url !== undefined) await refuseDuplicate(tx, merchantId, patch.url, id.toLowerCase());
  const before = await lockOwnEndpoint(tx, merchantId, id);
  const { endpoint, fresh } = changed(deps, before, patch);
  const after = await updateEndpoint(tx, endpoint);
  const isResumed = before.status === 'PAUSED' && after.status === 'ACTIVE';
  if (isResumed || before.url !== after.url) await forgetFailures(tx, [after.id]);
  await auditEndpoint(tx, deps, after, 'WEBHOOK_ENDPOINT_CHANGED', {
    fields: Object.keys(patch),
    status: after.status,
    origin: originOf(after),
    listenerUsername: after.username,
    hasNewPassword: fresh.password !== undefined,
    hasNewSecret: fresh.signingSecret !== undefined,
  });
  return { body: endpointMembers(deps.secretsKey, after, fresh), isResumed };
}

function changed(
  deps: EndpointChangeDeps,
  before: WebhookEndpoint,
  patch: Partial<EndpointUpdateBody>,
): { readonly endpoint: WebhookEndpoint; readonly fresh: NewEndpointSecrets } {
  const { id } = before;
  let endpoint: WebhookEndpoint = {
    ...before,
    url: patch.url ?? before.url,
    eventTypes: 'eventTypes' in patch ? eventTypesOf(patch.eventTypes) : before.eventTypes,
    description: 'description' in patch ? (patch.description ?? null) : before.description,
    ...statusOf(before, patch.status),
  };
  const fresh: { password?: string; signingSecret?: string } = {};
  const isMoved = originOf(before) !== originOf(endpoint);
  const made = listenerOf(deps, patch);
  if (isMoved || 'username' in patch) endpoint = { ...endpoint, username: made.username };
  if (isMoved || 'password' in patch) {
    const box = boxEndpointSecret(deps, id, 'listener_password', made.password);
    endpoint = { ...endpoint, passwordEncrypted: box };
    fresh.password = made.password;
  }
  if (isMoved) {
    fresh.signingSecret = newSigningSecret();
    endpoint = {
      ...endpoint,
      signingSecretEncrypted: boxEndpointSecret(deps, id, 'signing_secret', fresh.signingSecret),
      previousSigningSecretEncrypted: null,
      previousSigningSecretUntil: null,
    };
  }
  return { endpoint, fresh };
}

/** An endpoint that is paused for another reason already stays paused, with that reason. */
function statusOf(
  { status, pausedReason }: WebhookEndpoint,
  asked: EndpointUpdateBody['status'],
): Pick<WebhookEndpoint, 'status' | 'pausedReason'> {
  if (asked === undefined || asked === status) return { status, pausedReason };
  return { status: asked, pausedReason: asked === 'PAUSED' ? 'PAUSED_BY_MERCHANT' : null };
}

function originOf({ url }: Pick<WebhookEndpoint, 'url'>): string {
  return new URL(url).origin;
}

/** Writes what was done with an endpoint, in the same transaction. Names and dates, no secret. */
export async function auditEndpoint(
  tx: Executor,
  { clock, actor }: Pick<EndpointChangeDeps, 'clock' | 'actor'>,
  { id, merchantId }: Pick<WebhookEndpoint, 'id' | 'merchantId'>,
  action: AuditAction,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await recordAct(tx, { clock, actor }, action, merchantId, { endpointId: id, ...details });
}
