import type { Executor } from '#database/database.ts';
import { findHealth } from './health-store.ts';
import { type EndpointHealth, healthOf } from './read-endpoint-health.ts';
import { findTroubledEndpoints, type TroubledEndpoint } from './troubled-store.ts';

/** An endpoint that gets no webhooks now, without the path and the query of its URL. */
export interface ShownTroubled extends Omit<TroubledEndpoint, 'url'> {
  readonly origin: string;
  readonly health: EndpointHealth;
}

/** The endpoints of all merchants that get no webhooks now; those that fail the longest first. */
export async function listTroubledEndpoints({
  db,
}: {
  readonly db: Executor;
}): Promise<ShownTroubled[]> {
  const found = await findTroubledEndpoints(db);
  const rows = await findHealth(
    db,
    found.map(({ id }) => id),
  );
  return found.map(({ url, ...endpoint }) => {
    const health = healthOf(endpoint, rows.get(endpoint.id));
    return { ...endpoint, origin: new URL(url).origin, health };
  });
}
