import type { Log } from '#telemetry/log/log.ts';
import type { Health } from './health.ts';

/** Logs readiness when it changes: a load balancer probes every half second. */
export function reportReadiness(health: Health, log: Log): Health {
  let latest: string | null | undefined;
  return {
    ...health,
    async readiness() {
      const readiness = await health.readiness();
      const reason = readiness.ready ? null : readiness.reason;
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
