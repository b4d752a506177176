import type { FastifyInstance } from 'fastify';
import { isBearer } from '#http/headers/is-bearer.ts';
import { FIRST_CELL } from '#lib/cells/cell-mark.ts';
import { PROMETHEUS_CONTENT_TYPE } from '#telemetry/metrics/prometheus-reader.ts';
import type { Health } from './health.ts';

/**
 * Probes and scrapers come every few seconds: their log lines have the debug level, unless they
 * fail.
 */
const QUIET = { logLevel: 'debug' as const };

/**
 * Liveness, readiness and metrics, for the operators' listener (contract §1). Only metrics demand
 * the token: an orchestrator's probe has no token, and needs no more than a load balancer.
 *
 * @param opsToken `OPS_TOKEN`; null: no token is required
 */
export function registerHealthRoutes(
  app: FastifyInstance,
  health: Health,
  opsToken: Buffer | null,
): void {
  const { version, simulatedNetwork, cell } = health;
  app.get('/health/live', QUIET, async (_request, reply) => {
    const reason = await health.liveness();
    return reply
      .code(reason === null ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        ...(reason === null ? { status: 'live' } : { status: 'not live', reason }),
        version,
      });
  });

  app.get('/health/ready', QUIET, async (_request, reply) => {
    const readiness = await health.readiness();
    return reply
      .code(readiness.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: readiness.ready ? 'ready' : 'not ready',
        ...(readiness.ready
          ? readiness.warnings && { warnings: readiness.warnings }
          : { reason: readiness.reason }),
        version,
        ...(simulatedNetwork && { simulatedNetwork }),
        ...(cell !== FIRST_CELL && { cell }),
      });
  });

  app.get('/metrics', QUIET, async (request, reply) => {
    if (opsToken !== null && !isBearer(request.headers.authorization, opsToken)) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer realm="operators"')
        .send({ status: 'unauthorized', reason: 'metrics need OPS_TOKEN as a bearer token' });
    }
    return reply
      .type(PROMETHEUS_CONTENT_TYPE)
      .header('cache-control', 'no-store')
      .send(await health.metrics());
  });
}
