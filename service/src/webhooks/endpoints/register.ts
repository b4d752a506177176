import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { newId } from '#lib/new-id.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { lockMerchant } from '#merchants/merchant-store.ts';
import { newSigningSecret } from '#merchants/new-secret.ts';
import {
  boxEndpointSecret,
  checkEndpointUrl,
  descriptionFault,
  type EndpointDeps,
  eventTypesFault,
  eventTypesOf,
  listenerOf,
} from './check-fields.ts';
import { insertEndpoint, listEndpoints } from './endpoint-store.ts';
import { endpointMembers } from './render-json.ts';
import type { NewEndpointBody } from './schemas.ts';

/** delivery §3: each event multiplies by the endpoints. */
const MOST_ENDPOINTS = 20;

export interface EndpointChangeDeps extends EndpointDeps {
  readonly clock: Clock;
  /** The actor of the audit log: `api` for the merchant's own calls, or a person of the console. */
  readonly actor: string;
}

export type NewEndpoint = Omit<NewEndpointBody, 'url'> & { readonly url: string };

/**
 * Checks what an endpoint is asked for, before any transaction.
 *
 * @throws Problem VALIDATION_ERROR with all faults at once
 */
export async function checkNewEndpoint(
  deps: EndpointDeps,
  merchant: Merchant,
  body: Partial<NewEndpointBody>,
  faults: readonly FieldFault[],
): Promise<NewEndpoint> {
  const checked = await checkEndpointUrl(deps, merchant, body.url);
  const urlFault = checked && 'fault' in checked ? checked.fault : null;
  const typesFault = eventTypesFault(body.eventTypes);
  throwFaults([...faults, urlFault, typesFault, descriptionFault(body.description)]);
  return { ...body, url: checked && 'url' in checked ? checked.url : '' };
}

/**
 * Registers an endpoint (delivery §3). Its credentials and signing secret are in the
 * answer this once.
 *
 * @throws Problem DUPLICATE_WEBHOOK_ENDPOINT, TOO_MANY_WEBHOOK_ENDPOINTS
 */
export async function registerEndpoint(
  tx: Executor,
  deps: EndpointChangeDeps,
  merchantId: string,
  asked: NewEndpoint,
) {
  await refuseDuplicate(tx, merchantId, asked.url);
  const id = newId();
  const { username, password } = listenerOf(deps, asked);
  const signingSecret = newSigningSecret();
  const createdAt = deps.clock.now();
  const endpoint = await insertEndpoint(tx, {
    id,
    merchantId,
    url: asked.url,
    eventTypes: eventTypesOf(asked.eventTypes),
    description: asked.description ?? null,
    username,
    passwordEncrypted: boxEndpointSecret(deps, id, 'listener_password', password),
    signingSecretEncrypted: boxEndpointSecret(deps, id, 'signing_secret', signingSecret),
    createdAt,
  });
  await recordAct(tx, deps, 'WEBHOOK_ENDPOINT_CREATED', merchantId, {
    endpointId: id,
    origin: new URL(endpoint.url).origin,
    listenerUsername: username,
  });
  return endpointMembers(deps.secretsKey, endpoint, { password, signingSecret });
}

/**
 * Holds the merchant's row, so that two calls cannot both find room for one.
 *
 * @param ownId the endpoint that may have the URL already, when it is changed
 */
export async function refuseDuplicate(
  tx: Executor,
  merchantId: string,
  url: string,
  ownId: string | null = null,
): Promise<void> {
  await lockMerchant(tx, merchantId);
  const others = (await listEndpoints(tx, merchantId)).filter(({ id }) => id !== ownId);
  if (others.some((other) => other.url === url)) throw new Problem('DUPLICATE_WEBHOOK_ENDPOINT');
  if (others.length >= MOST_ENDPOINTS) throw new Problem('TOO_MANY_WEBHOOK_ENDPOINTS');
}
