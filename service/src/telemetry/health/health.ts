import type { Database } from '#database/database.ts';
import type { LoopTurn } from '#lib/loop.ts';
import { deadLoop, stalledLoop } from '#telemetry/metrics/loop-health.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { createReadinessProbe, type Readiness } from './readiness.ts';

/** The health of a service, of one process or of several, for the operators' listener. */
export interface Health {
  /** The reason to start the process again; null: there is none. */
  liveness(): Promise<string | null>;
  /** Whether all of it can do its work now. */
  readiness(): Promise<Readiness>;
  /** Everything as Prometheus text. */
  metrics(): Promise<string>;
  /** E_TRANSFER_NETWORK=simulated: no real money moves, and readiness says so (contract §1). */
  readonly simulatedNetwork: boolean;
}

export interface ProcessHealthDeps {
  readonly db: Database;
  readonly metrics: Metrics;
  readonly simulatedNetwork: boolean;
  /** Why the process itself takes no work, whatever the database says: it starts, or it stops. */
  readonly unreadyBecause: () => string | null;
  /** When each background loop of the process last turned. */
  readonly loops: () => readonly LoopTurn[];
  /** A sentence that operators should read though the process is ready; null: none. */
  readonly warning?: () => string | null;
}

/** The health of this process. */
export function createProcessHealth(deps: ProcessHealthDeps): Health {
  const probe = createReadinessProbe(deps.db);
  return {
    // An answer proves that the event loop turns; background loops have a watch of their own.
    liveness: async () => deadLoop(deps.loops()),
    async readiness() {
      const reason = deps.unreadyBecause() ?? stalledLoop(deps.loops());
      if (reason !== null) return { ready: false, reason };
      const readiness = await probe.check();
      const warning = deps.warning?.() ?? null;
      return readiness.ready && warning !== null ? { ready: true, warnings: [warning] } : readiness;
    },
    metrics: () => deps.metrics.render(),
    simulatedNetwork: deps.simulatedNetwork,
  };
}
