import type { Executor } from '#database/database.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { findHealth, type HealthRow, MOST_COUNTED } from './health-store.ts';

/**
 * `WELL`: the latest attempt was answered 2xx, or there was none. `SHAKY`: the latest attempts
 * failed. `FAILING`: the circuit breaker is open, and the service only probes. `PAUSED`: everything
 * is held.
 */
export type HealthState = 'WELL' | 'SHAKY' | 'FAILING' | 'PAUSED';

export interface EndpointHealth extends HealthRow {
  readonly state: HealthState;
  /** More deliveries than `pending` may wait. */
  readonly isPendingCut: boolean;
}

/**
 * How an endpoint stands: its circuit breaker, and what it is owed.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND, also for another merchant's and a deleted one
 */
export async function readEndpointHealth(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly health: EndpointHealth }> {
  const endpoint = await findOwnEndpoint(db, merchantId, id);
  const row = (await findHealth(db, merchantId, endpoint.id)) ?? NOTHING;
  const state = stateOf(endpoint, row);
  return { endpoint, health: { ...row, state, isPendingCut: row.pending >= MOST_COUNTED } };
}

/** A deletion may end between the two readings. */
const NOTHING: HealthRow = {
  failures: 0,
  openedAt: null,
  probes: 0,
  nextProbeAt: null,
  pending: 0,
  oldestDueAt: null,
};

function stateOf({ status }: WebhookEndpoint, { openedAt, failures }: HealthRow): HealthState {
  if (status === 'PAUSED') return 'PAUSED';
  if (openedAt !== null) return 'FAILING';
  return failures > 0 ? 'SHAKY' : 'WELL';
}
