import type { Executor } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { listEndpoints } from './endpoint-store.ts';
import { endpointMembers } from './render-json.ts';

export interface ListEndpointsDeps {
  readonly db: Executor;
  /** `SECRETS_KEY`, and the key that it replaces. */
  readonly secretsKey: RotatingKey;
  readonly publicApiUrl: string;
}

/** All endpoints of a merchant on one page, as a list's JSON (delivery §3). */
export async function renderEndpointList(
  { db, secretsKey, publicApiUrl }: ListEndpointsDeps,
  merchantId: string,
) {
  const endpoints = await listEndpoints(db, merchantId);
  return {
    data: endpoints.map((each) => endpointMembers(secretsKey, each)),
    hasMore: false,
    nextCursor: null,
    links: [{ rel: 'self', href: `${publicApiUrl}/webhook-endpoints` }],
  };
}

/** All endpoints of a merchant, oldest first, for people. */
export function listOwnEndpoints(db: Executor, merchantId: string): Promise<WebhookEndpoint[]> {
  return listEndpoints(db, merchantId);
}
