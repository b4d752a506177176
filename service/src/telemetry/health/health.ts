import type { Database } from '#database/database.ts';
import type { LoopTurn } from '#lib/loop.ts';
import { deadLoop, stalledLoop } from '#telemetry/metrics/loop-health.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import { createReadinessProbe, type Readiness } from './readiness.ts';

/** Facts of a deployment that answers about its health name. */
export interface HealthFacts {
  /** The running version of the service. */
  readonly version: string;
  /**
   * E_TRANSFER_NETWORK=simulated: no real money moves, and readiness reports this (contract §1).
   */
  readonly simulatedNetwork: boolean;
  /** `CELL`: readiness names every cell but the first. */
  readonly cell: number;
}

/** The health of a service, with one process or several, for the operators' listener. */
export interface Health extends HealthFacts {
  /** The reason to restart the process; null: there is none. */
  liveness(): Promise<string | null>;
  /** Whether the whole service can work now. */
  readiness(): Promise<Readiness>;
  /** All metrics as Prometheus text. */
  metrics(): Promise<string>;
}

export interface ProcessHealthDeps {
  readonly facts: HealthFacts;
  readonly db: Database;
  readonly metrics: Metrics;
  /**
   * The reason for which the process itself accepts no work, with any state of the database: it
   * starts, or it stops.
   */
  readonly unreadyBecause: () => string | null;
  /** The last turn of each background loop of the process. */
  readonly loops: () => readonly LoopTurn[];
  /** A sentence for operators of a ready process; null: none. */
  readonly warning?: () => string | null;
}

/** The health of this process. */
export function createProcessHealth(deps: ProcessHealthDeps): Health {
  const probe = createReadinessProbe(deps.db);
  return {
    ...deps.facts,
    // An answer proves that the event loop turns; a separate watch covers background loops.
    liveness: async () => deadLoop(deps.loops()),
    async readiness() {
      const reason = deps.unreadyBecause() ?? stalledLoop(deps.loops());
      if (reason !== null) return { ready: false, reason };
      const readiness = await probe.check();
      const warning = deps.warning?.() ?? null;
      return readiness.ready && warning !== null ? { ready: true, warnings: [warning] } : readiness;
    },
    metrics: () => deps.metrics.render(),
  };
}
