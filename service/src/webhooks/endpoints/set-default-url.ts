import type { Executor } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import { decryptSecret } from '#lib/secrets/secret-box.ts';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import {
  allowWebhookOrigin,
  findListener,
  type StoredListener,
} from '#merchants/merchant-store.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { forgetFailures } from '#webhooks/sending/destination-store.ts';
import { boxEndpointSecret, type EndpointDeps } from './check-fields.ts';
import { insertEndpoint, listEndpoints, moveDeliveries, updateEndpoint } from './endpoint-store.ts';

export type SetDefaultWebhookUrlDeps = AuditedDeps & EndpointDeps;

export interface DefaultWebhookUrl {
  readonly merchantId: string;
  readonly webhookUrl: string;
  readonly outcome: 'unchanged' | 'moved' | 'created';
}

/**
 * Sets the URL to which all of a merchant's events go, as onboarding does (contract §10). The
 * endpoint that has the merchant's default listener credentials moves there, with what it is owed,
 * or is made. Unlike a merchant's own move (delivery §2) it keeps them: the
 * operator, who set them up, says that the listener has moved.
 *
 * @throws OperatorFault for an unknown merchant, a URL that is refused or has another endpoint
 */
export async function setDefaultWebhookUrl(
  deps: SetDefaultWebhookUrlDeps,
  merchantId: string,
  asked: string,
): Promise<DefaultWebhookUrl> {
  const verdict = await deps.guard.check(asked, 'save');
  if (!verdict.allowed) throw new OperatorFault(verdict.reason);
  const { href: webhookUrl, origin } = verdict.url;

  const outcome = await deps.db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    const listener = (await findListener(tx, merchantId)) as StoredListener;
    const endpoints = await listEndpoints(tx, merchantId);
    const current = endpoints.find(({ username }) => username === listener.username);
    await allowWebhookOrigin(tx, merchantId, origin);
    if (current?.url === webhookUrl) return 'unchanged';
    if (endpoints.some(({ url }) => url === webhookUrl)) {
      throw new OperatorFault(`Another endpoint of merchant "${merchantId}" has this URL.`);
    }
    const endpoint = current
      ? await move(tx, current, webhookUrl)
      : await create(tx, deps, { merchantId, listener, url: webhookUrl });
    await recordAct(
      tx,
      deps,
      current ? 'WEBHOOK_ENDPOINT_CHANGED' : 'WEBHOOK_ENDPOINT_CREATED',
      merchantId,
      { endpointId: endpoint.id, origin, listenerUsername: endpoint.username },
    );
    return current ? 'moved' : 'created';
  });
  return { merchantId, webhookUrl, outcome };
}

async function move(tx: Executor, current: WebhookEndpoint, url: string): Promise<WebhookEndpoint> {
  const moved = { ...current, url, status: 'ACTIVE', pausedReason: null } as const;
  const endpoint = await updateEndpoint(tx, moved);
  await moveDeliveries(tx, endpoint.id, url);
  await forgetFailures(tx, [endpoint.id]);
  return endpoint;
}

async function create(
  tx: Executor,
  deps: SetDefaultWebhookUrlDeps,
  asked: { readonly merchantId: string; readonly listener: StoredListener; readonly url: string },
): Promise<WebhookEndpoint> {
  const { merchantId, listener, url } = asked;
  const id = newId();
  const read = (bytes: Buffer, name: string) =>
    decryptSecret(deps.secretsKey, bytes, `merchant:${merchantId}:${name}`);
  const password = read(listener.passwordEncrypted, 'listener_password');
  const signingSecret = read(listener.signingSecretEncrypted, 'signing_secret');
  return insertEndpoint(tx, {
    id,
    merchantId,
    url,
    eventTypes: null,
    description: 'Registered by the operator',
    username: listener.username,
    passwordEncrypted: boxEndpointSecret(deps, id, 'listener_password', password),
    signingSecretEncrypted: boxEndpointSecret(deps, id, 'signing_secret', signingSecret),
    createdAt: deps.clock.now(),
  });
}
