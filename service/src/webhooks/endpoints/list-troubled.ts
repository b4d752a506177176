import type { Executor } from '#database/database.ts';
import { findTroubledEndpoints, type TroubledEndpoint } from './troubled-store.ts';

/** The endpoints of all merchants that get no webhooks now, without paths and queries of URLs. */
export async function listTroubledEndpoints({
  db,
}: {
  readonly db: Executor;
}): Promise<(Omit<TroubledEndpoint, 'url'> & { readonly origin: string })[]> {
  const found = await findTroubledEndpoints(db);
  return found.map(({ url, ...endpoint }) => ({ ...endpoint, origin: new URL(url).origin }));
}
