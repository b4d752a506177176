import type { FastifyInstance } from 'fastify';
import type { Database } from '#database/database.ts';
import type { Metrics } from './metrics.ts';
import { PROMETHEUS_CONTENT_TYPE } from './prometheus-reader.ts';
import { createReadinessProbe } from './readiness.ts';

export interface HealthDeps {
  readonly db: Database;
  readonly metrics: Metrics;
  /** E_TRANSFER_NETWORK=simulated: no real money moves, and readiness says so (contract §1). */
  readonly simulatedNetwork: boolean;
  /** Why the process itself takes no work, whatever the database says: it starts, or it stops. */
  readonly unreadyBecause: () => string | null;
}

/** Probes and scrapers come every few seconds: their lines are for debugging, unless they fail. */
const QUIET = { logLevel: 'debug' as const };

/** Liveness, readiness and metrics, for the operators' listener (contract §1). */
export function registerHealthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  const probe = createReadinessProbe(deps.db);

  app.get('/health/live', QUIET, async (_request, reply) => {
    return reply.header('cache-control', 'no-store').send({ status: 'live' });
  });

  app.get('/health/ready', QUIET, async (_request, reply) => {
    const reason = deps.unreadyBecause();
    const readiness = reason === null ? await probe.check() : { ready: false as const, reason };
    return reply
      .code(readiness.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: readiness.ready ? 'ready' : 'not ready',
        ...(readiness.ready ? {} : { reason: readiness.reason }),
        ...(deps.simulatedNetwork ? { simulatedNetwork: true } : {}),
      });
  });

  app.get('/metrics', QUIET, async (_request, reply) => {
    return reply
      .type(PROMETHEUS_CONTENT_TYPE)
      .header('cache-control', 'no-store')
      .send(await deps.metrics.render());
  });
}
