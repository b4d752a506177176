import type { ConsoleRedirect, Visit } from '#console/shell/visit.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { testEndpoint } from '#webhooks/deliveries/send-test.ts';
import { editEndpoint } from '#webhooks/endpoints/edit-by-form.ts';
import { removeEndpoint } from '#webhooks/endpoints/remove.ts';
import { changeDeps, type WebhookPagesDeps } from '../deps.ts';
import { merchantHref } from '../paths.ts';

/** Pauses or resumes an endpoint. */
export async function setStatus(
  deps: WebhookPagesDeps,
  visit: Visit,
  status: 'ACTIVE' | 'PAUSED',
): Promise<ConsoleRedirect> {
  const { merchantId, params, actor } = visit;
  const id = params.id ?? '';
  await editEndpoint(changeDeps(deps, actor), merchantId, id, { status }, () => []);
  const done = status === 'ACTIVE' ? 'endpointResumed' : 'endpointPaused';
  return { to: merchantHref(visit, 'endpoints', id), done };
}

/** Deletes an endpoint, after the page that asked for it. */
export async function remove(deps: WebhookPagesDeps, visit: Visit): Promise<ConsoleRedirect> {
  const { merchantId, params, actor } = visit;
  const change = changeDeps(deps, actor);
  await deps.db.transaction((tx) => removeEndpoint(tx, change, merchantId, params.id ?? ''));
  return { to: merchantHref(visit, 'endpoints'), done: 'endpointDeleted' };
}

/** Sends a test event; its page shows the answer as soon as there is one. */
export async function sendTest(deps: WebhookPagesDeps, visit: Visit): Promise<ConsoleRedirect> {
  const { db, webhooks } = deps;
  const { merchantId, params, actor, merchant } = visit;
  const delivery = await db.transaction(async (tx) => {
    const named = { id: merchantId, name: merchant?.name ?? merchantId };
    const sent = await testEndpoint(tx, webhooks, named, params.id ?? '');
    await recordAct(tx, { clock: webhooks.clock, actor }, 'WEBHOOK_TEST_SENT', merchantId, {
      endpointId: sent.endpointId,
      deliveryId: sent.id,
    });
    return sent;
  });
  webhooks.wakeSenders();
  return { to: merchantHref(visit, 'deliveries', delivery.id), done: 'test' };
}
