import type { Health, HealthFacts } from '#telemetry/health/health.ts';
import { mergeMetrics } from '#telemetry/metrics/merge-metrics.ts';
import type { ParentMetrics } from './parent-metrics.ts';
import type { ProcessPlace } from './supervise-processes.ts';

export interface ProcessesHealthDeps {
  readonly places: readonly ProcessPlace[];
  readonly parentMetrics: ParentMetrics;
  readonly facts: HealthFacts;
  /** The reason for which no process gets work: the service starts, or it stops. */
  readonly unreadyBecause: () => string | null;
}

/** The label of the parent's own series; the processes are 1, 2, … */
const PARENT = 'parent';

/** The health of all processes: the worst state of them. */
export function createProcessesHealth(deps: ProcessesHealthDeps): Health {
  const { places, parentMetrics, facts } = deps;

  /** The first fault of any place, in the order of the places. */
  async function firstFault(faultOf: (place: ProcessPlace) => Promise<string | null>) {
    const faults = await Promise.all(places.map(faultOf));
    return faults.find((fault) => fault !== null) ?? null;
  }

  return {
    ...facts,
    // A process that is being restarted needs no restart; a process that stands still does.
    liveness: () =>
      firstFault(async ({ number, process }) => {
        if (!process?.hasStarted()) return null;
        const fault = await process.ask('liveness');
        if (fault === null) return `process ${number} does not answer`;
        return fault === '' ? null : `process ${number}: ${fault}`;
      }),
    async readiness() {
      const ours = deps.unreadyBecause();
      if (ours !== null) return { ready: false, reason: ours };
      const warnings = new Set<string>();
      const reason = await firstFault(async ({ number, process }) => {
        if (!process?.hasStarted()) return `process ${number} is being started again`;
        const readiness = await process.ask('readiness');
        if (readiness === null) return `process ${number} does not answer`;
        if (!readiness.ready) return readiness.reason;
        for (const warning of readiness.warnings ?? []) warnings.add(warning);
        return null;
      });
      if (reason !== null) return { ready: false, reason };
      return { ready: true, ...(warnings.size > 0 && { warnings: [...warnings] }) };
    },
    async metrics() {
      const all = await Promise.all(
        places.map(async ({ number, process }) => {
          const text = process?.hasStarted() ? await process.ask('metrics') : null;
          return text === null ? [] : [{ process: String(number), text }];
        }),
      );
      const told = all.flat();
      const restarts = places.reduce((sum, place) => sum + place.restarts, 0);
      const counts = { wanted: places.length, answering: told.length, restarts };
      const parent = { process: PARENT, text: await parentMetrics.render(counts) };
      return mergeMetrics([parent, ...told]);
    },
  };
}
