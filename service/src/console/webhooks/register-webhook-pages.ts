import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleRedirect, Visit } from '#console/shell/visit.ts';
import {
  askForSecrets,
  remove,
  rotate,
  sendTest,
  setStatus,
  showDeletion,
  showRotation,
  showSecrets,
} from '#console/webhooks/endpoints/endpoint-acts.ts';
import { add, edit, showEditForm, showNewForm } from '#console/webhooks/endpoints/endpoint-form.ts';
import { showReplay } from '#console/webhooks/replays/replay-page.ts';
import { redeliverForPerson } from '#webhooks/deliveries/redeliver-for-person.ts';
import { showDelivery } from './deliveries/delivery-page.ts';
import { showDeveloperPage } from './developer/developer-page.ts';
import { showEndpoint } from './endpoints/endpoint-page.ts';
import { showFeed } from './feed/feed-page.ts';
import { merchantHref } from './paths.ts';
import { beginReplay, showReplayForm } from './replays/replay-form.ts';

const ENDPOINT = '/m/:merchant/endpoints/:id';

/** Endpoints, deliveries, replays, the feed, and the page for developers. */
export function registerWebhookPages(routes: ConsoleRoutes): void {
  const change = 'endpoints.change';
  routes.page('/m/:merchant/endpoints/new', change, showNewForm);
  routes.form('/m/:merchant/endpoints/new', change, 'typed', add);
  routes.page(ENDPOINT, 'endpoints.read', showEndpoint);
  routes.page(`${ENDPOINT}/edit`, change, showEditForm);
  routes.form(`${ENDPOINT}/edit`, change, 'typed', edit);
  for (const [act, status] of [
    ['pause', 'PAUSED'],
    ['resume', 'ACTIVE'],
  ] as const) {
    routes.act(`${ENDPOINT}/${act}`, change, (deps, visit) => setStatus(deps, visit, status));
  }
  routes.page(`${ENDPOINT}/delete`, change, showDeletion);
  routes.act(`${ENDPOINT}/delete`, change, remove);
  routes.act(`${ENDPOINT}/test`, 'endpoints.test', sendTest);
  routes.page(`${ENDPOINT}/rotate`, 'endpoints.secret', showRotation);
  routes.act(`${ENDPOINT}/rotate`, 'endpoints.secret', rotate);
  routes.page(`${ENDPOINT}/secrets`, 'endpoints.secret', askForSecrets);
  routes.act(`${ENDPOINT}/secrets`, 'endpoints.secret', showSecrets);
  routes.page(`${ENDPOINT}/replay`, 'endpoints.replay', showReplayForm);
  routes.form(`${ENDPOINT}/replay`, 'endpoints.replay', 'typed', beginReplay);
  routes.page(`${ENDPOINT}/replays/:replay`, 'endpoints.read', showReplay);
  const delivery = '/m/:merchant/deliveries/:id';
  routes.page(delivery, 'deliveries.read', showDelivery);
  routes.act(`${delivery}/redeliver`, 'deliveries.redeliver', redeliver);
  routes.page('/m/:merchant/events', 'events.read', showFeed);
  routes.page('/m/:merchant/developer', 'developer.read', showDeveloperPage);
}

async function redeliver({ db, webhooks }: ConsoleDeps, visit: Visit): Promise<ConsoleRedirect> {
  const { merchantId, actor, params } = visit;
  const deps = { ...webhooks, db, actor };
  const { id } = await redeliverForPerson(deps, merchantId, params.id ?? '');
  return { to: merchantHref(visit, 'deliveries', id), done: 'sent' };
}
