import type { Log } from '#telemetry/log/log.ts';
import type { Health } from './health.ts';

/** The reasons of every start and stop, of which the service logs lines of its own. */
export const STARTING = 'the service is starting';
export const STOPPING = 'the service is stopping';

/**
 * Logs readiness when it changes: a load balancer probes every half second. A start and a stop are
 * no change: each deployment would warn.
 */
export function reportReadiness(health: Health, log: Log): Health {
  let latest: string | null | undefined;
  return {
    ...health,
    async readiness() {
      const readiness = await health.readiness();
      const reason = readiness.ready ? null : readiness.reason;
      if (reason === STARTING || reason === STOPPING) return readiness;
      if (latest !== undefined && reason === null && latest !== null) {
        log.info({}, 'service ready again');
      } else if (reason !== null && reason !== latest) {
        log.warn({ reason }, 'service not ready');
      }
      latest = reason;
      return readiness;
    },
  };
}
