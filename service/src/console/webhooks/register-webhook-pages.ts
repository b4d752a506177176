import type { FastifyRequest } from 'fastify';
import type { ChecklistDeps } from '#console/checklist/checklist.ts';
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
import { showReplay } from './replays/replay-pages.ts';

const ENDPOINT = '/m/:merchant/endpoints/:id';

/** Endpoints, deliveries, replays, the feed, and the page for developers. */
export function registerWebhookPages(
  routes: ConsoleRoutes,
  deps: WebhookPagesDeps & ChecklistDeps,
): void {
  registerEndpointPages(routes, deps);
  registerSecretPages(routes, deps);
  registerReplayPages(routes, deps);
  routes.page('/m/:merchant/deliveries/:id', 'deliveries.read', (visit) =>
    showDelivery(deps, visit),
  );
  routes.act('/m/:merchant/deliveries/:id/redeliver', 'deliveries.redeliver', 'choice', (visit) =>
    redeliver(deps, visit),
  );
  routes.page('/m/:merchant/events', 'events.read', (visit) => showFeed(deps, visit));
  routes.page('/m/:merchant/developer', 'developer.read', (visit) =>
    showDeveloperPage(deps, visit),
  );
}

function registerEndpointPages(routes: ConsoleRoutes, deps: WebhookPagesDeps): void {
  const action = 'endpoints.change';
  routes.page('/m/:merchant/endpoints/new', action, showNewForm);
  routes.act('/m/:merchant/endpoints/new', action, 'typed', (visit, form, request) =>
    add(deps, visit, form, faultsBy(request)),
  );
  routes.page(ENDPOINT, 'endpoints.read', (visit) => showEndpoint(deps, visit));
  routes.page(`${ENDPOINT}/edit`, action, (visit) => showEditForm(deps, visit));
  routes.act(`${ENDPOINT}/edit`, action, 'typed', (visit, form, request) =>
    edit(deps, visit, form, faultsBy(request)),
  );
  routes.act(`${ENDPOINT}/pause`, action, 'choice', (visit) => setStatus(deps, visit, 'PAUSED'));
  routes.act(`${ENDPOINT}/resume`, action, 'choice', (visit) => setStatus(deps, visit, 'ACTIVE'));
  routes.page(`${ENDPOINT}/delete`, action, (visit) => showDeletion(deps, visit));
  routes.act(`${ENDPOINT}/delete`, action, 'choice', (visit) => remove(deps, visit));
  routes.act(`${ENDPOINT}/test`, 'endpoints.test', 'choice', (visit) => sendTest(deps, visit));
}

/** Finds faults by the validator that checks the API's calls. */
function faultsBy(request: FastifyRequest): FindFaults {
  return (schema, value) => schemaFaultsOf(request, schema, value);
}

function registerSecretPages(routes: ConsoleRoutes, deps: WebhookPagesDeps): void {
  const action = 'endpoints.secret';
  routes.page(`${ENDPOINT}/rotate`, action, (visit) => showRotation(deps, visit));
  routes.act(`${ENDPOINT}/rotate`, action, 'choice', (visit, form) => rotate(deps, visit, form));
  routes.page(`${ENDPOINT}/secrets`, action, (visit) => askForSecrets(deps, visit));
  routes.act(`${ENDPOINT}/secrets`, action, 'choice', (visit) => showSecrets(deps, visit));
}

function registerReplayPages(routes: ConsoleRoutes, deps: WebhookPagesDeps): void {
  const action = 'endpoints.replay';
  routes.page(`${ENDPOINT}/replay`, action, (visit) => showReplayForm(deps, visit));
  routes.act(`${ENDPOINT}/replay`, action, 'typed', (visit, form) =>
    beginReplay(deps, visit, form),
  );
  routes.page(`${ENDPOINT}/replays/:replay`, 'endpoints.read', (visit) => showReplay(deps, visit));
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
