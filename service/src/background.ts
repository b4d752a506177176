import type { Database } from '#database/database.ts';
import { pruneIdempotencyAnswers } from '#idempotency/prune-idempotency-answers.ts';
import { type Loop, startLoop } from '#lib/loop.ts';
import { expirePaymentRequests } from '#payment-requests/expire-payment-requests.ts';
import type { MoveDeps } from '#payment-requests/move-payment-request.ts';
import { reconcileNetworkRequests } from '#payment-requests/reconcile-network-requests.ts';
import { type SandboxSimulatorDeps, startSandboxSimulator } from '#sandbox/sandbox-simulator.ts';
import type { Log } from '#telemetry/log.ts';
import type { Metrics } from '#telemetry/metrics.ts';
import { startWebhookDelivery, type WebhookDeliveryDeps } from '#webhooks/deliver-webhooks.ts';
import { pruneWebhookEvents } from '#webhooks/prune-webhook-events.ts';
import { endDeletedDeliveries } from '#webhooks/remove-endpoint.ts';
import { runReplays } from '#webhooks/run-replays.ts';
import { pruneWebhookDestinations } from '#webhooks/settle-destinations.ts';
import type { ConnectedNetwork } from './connect-network.ts';

/** Expiry is exact when read; the timer only has to write it, and send its webhook, soon. */
const EXPIRY_INTERVAL_MS = 1_000;

/** Nobody waits for what is over to be gone; a minute keeps each look's find small. */
const PRUNE_INTERVAL_MS = 60_000;

/** The network hears of a cancellation within a second. */
const RECONCILE_INTERVAL_MS = 1_000;

/** A replay queues 40 at most at a time: so often, that is up to 80 a second. */
const REPLAY_INTERVAL_MS = 500;

export interface BackgroundDeps {
  readonly db: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly delivery: WebhookDeliveryDeps;
  readonly retentionEventsDays: number;
  readonly move: MoveDeps;
  /** null in production: it has no simulator. */
  readonly simulator: SandboxSimulatorDeps | null;
  /** null in the sandbox: it has no network. */
  readonly connected: Pick<ConnectedNetwork, 'network' | 'reconcile'> | null;
}

/** Starts every loop of the background side, by name. */
export function startBackground(deps: BackgroundDeps): Loop {
  const delivery = startWebhookDelivery(deps.delivery);
  const expiry = startLoop({
    intervalMs: EXPIRY_INTERVAL_MS,
    run: (signal) => expirePaymentRequests(deps.move, signal),
    onError: reportTo(deps, 'expire-payment-requests'),
  });
  const pruning = startLoop({
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => pruneIdempotencyAnswers(deps.db),
    onError: reportTo(deps, 'prune-idempotency-answers'),
  });
  const eventPruning = startLoop({
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => pruneWebhookEvents(deps.db, deps.retentionEventsDays),
    onError: reportTo(deps, 'prune-webhook-events'),
  });
  const destinationPruning = startLoop({
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => pruneWebhookDestinations(deps.db),
    onError: reportTo(deps, 'prune-webhook-destinations'),
  });
  const deletions = startLoop({
    intervalMs: PRUNE_INTERVAL_MS,
    run: () => endDeletedDeliveries(deps.db),
    onError: reportTo(deps, 'end-deleted-deliveries'),
  });
  const replays = startLoop({
    intervalMs: REPLAY_INTERVAL_MS,
    run: (signal) => runReplays(deps.move, signal),
    onError: reportTo(deps, 'run-replays'),
  });
  const simulator = deps.simulator && startSandboxSimulator(deps.simulator);
  const loops = [
    delivery,
    expiry,
    pruning,
    deletions,
    replays,
    destinationPruning,
    eventPruning,
    ...(simulator ? [simulator] : []),
  ];
  loops.push(...networkLoops(deps));
  return {
    wake() {
      for (const loop of loops) loop.wake();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function networkLoops(deps: BackgroundDeps): Loop[] {
  if (!deps.connected) return [];
  const { network, reconcile } = deps.connected;
  const reconciliation = startLoop({
    intervalMs: RECONCILE_INTERVAL_MS,
    run: (signal) => reconcileNetworkRequests(reconcile, signal),
    onError: reportTo(deps, 'reconcile-network-requests'),
  });
  const own = network.startBackground();
  return own ? [reconciliation, own] : [reconciliation];
}

function reportTo({ log, metrics }: BackgroundDeps, loop: string) {
  return (error: unknown): void => {
    metrics.loopFailed(loop);
    log.error({ loop, err: error }, 'background loop failed');
  };
}
