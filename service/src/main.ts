import { migrate } from '#database/migrate.ts';
import { systemClock } from '#lib/clock.ts';
import { TRANSITIONS } from '#payment-requests/payment-request-states.ts';
import { createLog } from '#telemetry/log.ts';
import type { Config } from './config.ts';
import { isNetworkSimulated, type Role, startService } from './start-service.ts';

/**
 * Runs the service until it is told to stop: migrates, starts, and on SIGINT, SIGTERM or the end of
 * its parent finishes what runs, within SHUTDOWN_GRACE_SECONDS.
 */
export async function serve(
  config: Config,
  { roles }: { readonly roles: readonly Role[] },
): Promise<void> {
  const log = createLog({ level: config.logLevel });
  const stopped = Promise.withResolvers<string>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopped.resolve(signal));
  }
  // A parent that was killed cannot send a signal; its channel closing says the same.
  if (process.channel) process.once('disconnect', () => stopped.resolve('parent gone'));

  const migrations = await migrate({
    url: config.databaseUrl,
    environment: config.environment,
    transitions: TRANSITIONS,
  });
  const service = await startService({ config, roles, clock: systemClock, log });
  log.info(
    {
      environment: config.environment,
      roles,
      port: service.port,
      opsPort: service.opsPort,
      migrations,
      simulatedNetwork: isNetworkSimulated(config),
    },
    'service started',
  );

  const reason = await stopped.promise;
  log.info({ reason }, 'service stopping');
  const overdue = setTimeout(() => {
    log.error({ reason: 'the grace period is over' }, 'service stopped hard');
    process.exit(1);
  }, config.shutdownGraceSeconds * 1000);
  await service.stop();
  clearTimeout(overdue);
  log.info({}, 'service stopped');
  process.disconnect?.();
}
