import cluster from 'node:cluster';
import { migrate } from '#database/migrate.ts';
import { systemClock } from '#lib/clock.ts';
import { TRANSITIONS } from '#payment-requests/payment-request-states.ts';
import { answerParent } from '#processes/answer-parent.ts';
import { sharedOutput } from '#processes/shared-output.ts';
import { createLog, type Log } from '#telemetry/log.ts';
import { checkConnectionRoom } from './check-connection-room.ts';
import type { Config } from './config.ts';
import { startProcesses } from './start-processes.ts';
import { isNetworkSimulated, type Role, startService } from './start-service.ts';

export interface ServeOptions {
  readonly roles: readonly Role[];
  /** 1: this process does all of it; more: it is the parent of so many. */
  readonly processes: number;
}

/** A parent waits for its processes, which have the grace period for themselves. */
const PARENT_MARGIN_SECONDS = 4;

/**
 * Runs the service until it is told to stop: migrates, starts, and on SIGINT, SIGTERM or the end of
 * its parent finishes what runs, within SHUTDOWN_GRACE_SECONDS.
 */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  if (cluster.worker) return serveForParent(cluster.worker, config, options);
  const { roles, processes } = options;
  const log = createLog({ level: config.logLevel });
  const stopped = reasonToStop(['SIGINT', 'SIGTERM']);
  await checkConnectionRoom(config, processes);
  const migrations = await migrate({
    url: config.databaseUrl,
    environment: config.environment,
    transitions: TRANSITIONS,
  });
  const shared = { config, clock: systemClock, log };
  const service =
    processes === 1
      ? await startService({ ...shared, roles })
      : await startProcesses({ ...shared, count: processes });
  log.info(
    {
      environment: config.environment,
      roles,
      processes,
      port: service.port,
      opsPort: service.opsPort,
      migrations,
      simulatedNetwork: isNetworkSimulated(config),
    },
    'service started',
  );
  const margin = processes === 1 ? 0 : PARENT_MARGIN_SECONDS;
  await stopWhenTold(service, log, stopped, config.shutdownGraceSeconds + margin);
}

/** One of several processes: its parent has migrated, and has the operators' listener. */
async function serveForParent(
  worker: NonNullable<typeof cluster.worker>,
  config: Config,
  { roles, processes }: ServeOptions,
): Promise<void> {
  // Without it Node ends this process the moment its parent is gone, with calls half done.
  worker.exitedAfterDisconnect = true;
  // Ctrl-C reaches every process of a terminal; the parent tells its own when to stop.
  process.on('SIGINT', () => {});
  const stopped = reasonToStop(['SIGTERM']);
  const log = createLog({ level: config.logLevel, destination: sharedOutput() });
  const shared = { config, roles, processes, clock: systemClock, log };
  const service = await startService(shared).catch((error: unknown) => {
    // The open channel would keep this process, which has told its fault, from ending.
    process.disconnect?.();
    throw error;
  });
  answerParent(process, service.health, service.port);
  log.info({ roles }, 'process started');
  await stopWhenTold(service, log, stopped, config.shutdownGraceSeconds);
}

/** Resolves with what tells this process to stop. */
function reasonToStop(signals: readonly NodeJS.Signals[]): Promise<string> {
  const stopped = Promise.withResolvers<string>();
  for (const signal of signals) process.once(signal, () => stopped.resolve(signal));
  // A parent that was killed cannot send a signal; its channel closing says the same.
  if (process.channel) process.once('disconnect', () => stopped.resolve('parent gone'));
  return stopped.promise;
}

async function stopWhenTold(
  service: { stop(): Promise<void> },
  log: Log,
  stopped: Promise<string>,
  graceSeconds: number,
): Promise<void> {
  const reason = await stopped;
  log.info({ reason }, 'service stopping');
  const overdue = setTimeout(() => {
    log.error({ reason: 'the grace period is over' }, 'service stopped hard');
    process.exit(1);
  }, graceSeconds * 1000);
  await service.stop();
  clearTimeout(overdue);
  log.info({}, 'service stopped');
  process.disconnect?.();
}
