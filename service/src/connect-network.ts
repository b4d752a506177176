import type { Database } from '#database/database.ts';
import type { ETransferNetwork, MakeNetwork } from '#e-transfer/e-transfer-network.ts';
import { createSimulatedNetwork } from '#e-transfer/simulated-network/simulated-network.ts';
import { createLivePages, type LivePages } from '#http/live/live-pages.ts';
import type { Clock } from '#lib/clock.ts';
import { createReportBatcher } from '#payment-requests/network/apply-report.ts';
import { createNetworkCalls } from '#payment-requests/network/client.ts';
import type { ReconcileDeps } from '#payment-requests/network/reconcile.ts';
import { findPaymentRequestVersions } from '#payment-requests/payer-link/link-store.ts';
import type { PayingDeps } from '#payment-requests/payer-link/routes.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import type { TimelineNotes } from '#payment-requests/timeline/payer-steps.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import type { Config } from './config.ts';

/** The networks that E_TRANSFER_NETWORK can name (contract §1). */
const NETWORKS: Readonly<Record<NonNullable<Config['eTransferNetwork']>, MakeNetwork>> = {
  simulated: createSimulatedNetwork,
};

export interface ConnectNetworkDeps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly move: ChangeStatusDeps;
  readonly notes: TimelineNotes;
  /** Takes the chair of the one that the configuration names; for tests. */
  readonly makeNetwork: MakeNetwork | undefined;
}

/** The network of a production deployment, with all that stands around it. */
export interface ConnectedNetwork {
  readonly network: ETransferNetwork;
  readonly paying: PayingDeps;
  readonly reconcile: ReconcileDeps;
  readonly livePages: LivePages;
}

/** Seats the network that the configuration names; null in the sandbox, which has none. */
export function connectNetwork(deps: ConnectNetworkDeps): ConnectedNetwork | null {
  const { config, db, clock, log, metrics, move, notes } = deps;
  if (config.environment === 'sandbox' || config.eTransferNetwork === null) return null;
  const report: Omit<ReconcileDeps, 'calls'> = {
    ...move,
    log,
    metrics,
    currency: config.currency,
    paymentLinkBase: config.paymentLinkBase,
  };
  const make = deps.makeNetwork ?? NETWORKS[config.eTransferNetwork];
  const network = make({
    db,
    clock,
    log,
    metrics,
    publicOrigin: new URL(config.paymentLinkBase).origin,
    listener: {
      report: createReportBatcher({ ...report, metrics }),
      noteStep: (id, step) => notes.noteStep(id, step),
    },
  });
  const reconcile = { ...report, calls: createNetworkCalls({ network, clock, metrics }) };
  const livePages = createLivePages({
    clock,
    findVersions: (ids) => findPaymentRequestVersions(db, ids),
  });
  const simulatedNetwork = network.isSimulated;
  return { network, reconcile, livePages, paying: { ...reconcile, livePages, simulatedNetwork } };
}
