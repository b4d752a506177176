import type { Executor } from '#database/database.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import { listOwnEndpoints } from '#webhooks/endpoints/list.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import {
  findHealth,
  findHours,
  type HealthRow,
  type HourOfDeliveries,
  type LastAnswer,
  MOST_COUNTED,
} from './health-store.ts';

export type { HourOfDeliveries, LastAnswer };

/**
 * `WELL`: the latest attempt was answered 2xx, or there was none. `SHAKY`: the latest attempts
 * failed. `FAILING`: the circuit breaker is open, and the service only probes. `PAUSED`: everything
 * is held.
 */
export type HealthState = (typeof HEALTH_STATES)[number];
export const HEALTH_STATES = ['FAILING', 'SHAKY', 'PAUSED', 'WELL'] as const;

export interface EndpointHealth extends HealthRow {
  readonly state: HealthState;
  /** More deliveries than `pending` may wait. */
  readonly isPendingCut: boolean;
}

export type EndpointWithHealth = WebhookEndpoint & { readonly health: EndpointHealth };

/**
 * How an endpoint stands: its circuit breaker, its last answer, and what it is owed.
 *
 * @throws Problem WEBHOOK_ENDPOINT_NOT_FOUND, also for another merchant's and a deleted one
 */
export async function readEndpointHealth(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly health: EndpointHealth }> {
  const endpoint = await findOwnEndpoint(db, merchantId, id);
  const rows = await findHealth(db, [endpoint.id]);
  return { endpoint, health: healthOf(endpoint, rows.get(endpoint.id)) };
}

/** A merchant's endpoints with how they stand, oldest first. */
export async function listEndpointHealth(
  db: Executor,
  merchantId: string,
): Promise<EndpointWithHealth[]> {
  const endpoints = await listOwnEndpoints(db, merchantId);
  const rows = await findHealth(
    db,
    endpoints.map(({ id }) => id),
  );
  return endpoints.map((each) => ({ ...each, health: healthOf(each, rows.get(each.id)) }));
}

/** The outcomes of an endpoint's deliveries, by the hour in which they were created. */
export function readHours(db: Executor, endpointId: string): Promise<HourOfDeliveries[]> {
  return findHours(db, endpointId);
}

/** A deletion may end between the two readings. */
const NOTHING: HealthRow = {
  failures: 0,
  openedAt: null,
  probes: 0,
  nextProbeAt: null,
  pending: 0,
  oldestDueAt: null,
  answer: null,
};

export function healthOf(
  { status }: Pick<WebhookEndpoint, 'status'>,
  row: HealthRow = NOTHING,
): EndpointHealth {
  return { ...row, state: stateOf(status, row), isPendingCut: row.pending >= MOST_COUNTED };
}

function stateOf(
  status: WebhookEndpoint['status'],
  { openedAt, failures }: HealthRow,
): HealthState {
  if (status === 'PAUSED') return 'PAUSED';
  if (openedAt !== null) return 'FAILING';
  return failures > 0 ? 'SHAKY' : 'WELL';
}
