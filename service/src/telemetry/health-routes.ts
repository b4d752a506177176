import type { FastifyInstance } from 'fastify';
import type { Health } from './health.ts';
import { PROMETHEUS_CONTENT_TYPE } from './prometheus-reader.ts';

/** Probes and scrapers come every few seconds: their lines are for debugging, unless they fail. */
const QUIET = { logLevel: 'debug' as const };

/** Liveness, readiness and metrics, for the operators' listener (contract §1). */
export function registerHealthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/health/live', QUIET, async (_request, reply) => {
    const reason = await health.liveness();
    return reply
      .code(reason === null ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(reason === null ? { status: 'live' } : { status: 'not live', reason });
  });

  app.get('/health/ready', QUIET, async (_request, reply) => {
    const readiness = await health.readiness();
    return reply
      .code(readiness.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: readiness.ready ? 'ready' : 'not ready',
        ...(readiness.ready ? {} : { reason: readiness.reason }),
        ...(health.simulatedNetwork ? { simulatedNetwork: true } : {}),
      });
  });

  app.get('/metrics', QUIET, async (_request, reply) => {
    return reply
      .type(PROMETHEUS_CONTENT_TYPE)
      .header('cache-control', 'no-store')
      .send(await health.metrics());
  });
}
