import type { FastifyRequest } from 'fastify';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleRedirect, Visit } from '#console/shell/visit.ts';
import { redeliverForPerson } from '#webhooks/deliveries/redeliver-for-person.ts';
import type { FindFaults } from '#webhooks/endpoints/edit-by-form.ts';
import { showDelivery } from './deliveries/delivery-page.ts';
import type { WebhookPagesDeps } from './deps.ts';
import { showDeveloperPage } from './developer/developer-page.ts';
import { remove, sendTest, setStatus } from './endpoints/acts.ts';
import { showDeletion } from './endpoints/delete-page.ts';
import { add, edit, showEditForm, showNewForm } from './endpoints/edit-pages.ts';
import { showEndpoint } from './endpoints/endpoint-page.ts';
import { rotate, showRotation } from './endpoints/rotation.ts';
import { askForSecrets, showSecrets } from './endpoints/secrets-page.ts';
import { showFeed } from './feed/feed-page.ts';
import { merchantHref } from './paths.ts';
import { beginReplay, showReplayForm } from './replays/replay-form.ts';
import { showReplay, showReplays } from './replays/replay-pages.ts';

const ENDPOINT = '/m/:merchant/endpoints/:id';

/** Endpoints, deliveries, replays, the feed, and the page for developers. */
export function registerWebhookPages(routes: ConsoleRoutes, deps: WebhookPagesDeps): void {
  registerEndpointPages(routes, deps);
  registerSecretPages(routes, deps);
  registerReplayPages(routes, deps);
  routes.page({
    path: '/m/:merchant/deliveries/:id',
    action: 'deliveries.read',
    show: (visit) => showDelivery(deps, visit),
  });
  routes.act({
    path: '/m/:merchant/deliveries/:id/redeliver',
    action: 'deliveries.redeliver',
    form: 'choice',
    act: (visit) => redeliver(deps, visit),
  });
  routes.page({
    path: '/m/:merchant/events',
    action: 'events.read',
    show: (visit) => showFeed(deps, visit),
  });
  routes.page({
    path: '/m/:merchant/developer',
    action: 'developer.read',
    show: (visit) => showDeveloperPage(deps, visit),
  });
}

function registerEndpointPages(routes: ConsoleRoutes, deps: WebhookPagesDeps): void {
  const action = 'endpoints.change';
  routes.page({ path: '/m/:merchant/endpoints/new', action, show: showNewForm });
  routes.act({
    path: '/m/:merchant/endpoints/new',
    action,
    form: 'typed',
    act: (visit, form, request) => add(deps, visit, form, faultsBy(request)),
  });
  routes.page({
    path: ENDPOINT,
    action: 'endpoints.read',
    show: (visit) => showEndpoint(deps, visit),
  });
  routes.page({ path: `${ENDPOINT}/edit`, action, show: (visit) => showEditForm(deps, visit) });
  routes.act({
    path: `${ENDPOINT}/edit`,
    action,
    form: 'typed',
    act: (visit, form, request) => edit(deps, visit, form, faultsBy(request)),
  });
  routes.act({
    path: `${ENDPOINT}/pause`,
    action,
    form: 'choice',
    act: (visit) => setStatus(deps, visit, 'PAUSED'),
  });
  routes.act({
    path: `${ENDPOINT}/resume`,
    action,
    form: 'choice',
    act: (visit) => setStatus(deps, visit, 'ACTIVE'),
  });
  routes.page({ path: `${ENDPOINT}/delete`, action, show: (visit) => showDeletion(deps, visit) });
  routes.act({
    ...{ path: `${ENDPOINT}/delete`, action, form: 'choice' },
    act: (visit) => remove(deps, visit),
  });
  routes.act({
    path: `${ENDPOINT}/test`,
    action: 'endpoints.test',
    form: 'choice',
    act: (visit) => sendTest(deps, visit),
  });
}

/** Finds faults by the validator that judges the API's calls. */
function faultsBy(request: FastifyRequest): FindFaults {
  return (schema, value) => schemaFaultsOf(request, schema, value);
}

function registerSecretPages(routes: ConsoleRoutes, deps: WebhookPagesDeps): void {
  const action = 'endpoints.secret';
  routes.page({ path: `${ENDPOINT}/rotate`, action, show: (visit) => showRotation(deps, visit) });
  routes.act({
    path: `${ENDPOINT}/rotate`,
    action,
    form: 'choice',
    act: (visit, form) => rotate(deps, visit, form),
  });
  routes.page({ path: `${ENDPOINT}/secrets`, action, show: (visit) => askForSecrets(deps, visit) });
  routes.act({
    ...{ path: `${ENDPOINT}/secrets`, action, form: 'choice' },
    act: (visit) => showSecrets(deps, visit),
  });
}

function registerReplayPages(routes: ConsoleRoutes, deps: WebhookPagesDeps): void {
  const action = 'endpoints.replay';
  routes.page({ path: `${ENDPOINT}/replay`, action, show: (visit) => showReplayForm(deps, visit) });
  routes.act({
    path: `${ENDPOINT}/replay`,
    action,
    form: 'typed',
    act: (visit, form) => beginReplay(deps, visit, form),
  });
  routes.page({
    path: `${ENDPOINT}/replays/:replay`,
    action: 'endpoints.read',
    show: (visit) => showReplay(deps, visit),
  });
  routes.page({
    path: '/m/:merchant/replays',
    action: 'endpoints.read',
    show: (visit) => showReplays(deps, visit),
  });
}

async function redeliver(
  { db, webhooks }: WebhookPagesDeps,
  visit: Visit,
): Promise<ConsoleRedirect> {
  const { merchantId, actor, params } = visit;
  const deps = { ...webhooks, db, actor };
  const { id } = await redeliverForPerson(deps, merchantId, params.id ?? '');
  return { to: merchantHref(visit, 'deliveries', id), done: 'sent' };
}
