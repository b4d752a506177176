import cluster from 'node:cluster';
import { waitForDatabase } from '#database/connection/wait-for-database.ts';
import { checkSchema, type MigrateResult, migrate } from '#database/schema/migrate.ts';
import { systemClock } from '#lib/clock.ts';
import { armFailpoint } from '#lib/failpoints/failpoint.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { answerParent } from '#processes/answer-parent.ts';
import { containUncaughtErrors } from '#processes/contain-uncaught-errors.ts';
import { freeStartMemory, startMemoryOfProcess } from '#processes/free-start-memory.ts';
import { sharedOutput } from '#processes/shared-output.ts';
import { listenForStop } from '#processes/stop-request.ts';
import { createLog, type Log } from '#telemetry/log/log.ts';
import { checkConnectionRoom } from './compose/check-connection-room.ts';
import type { Role, ServiceOptions } from './compose/foundation.ts';
import { isNetworkSimulated } from './compose/networks.ts';
import { type Config, describeUnknown, doubtfulSettings, unknownSettings } from './config.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { startProcesses } from './start-processes.ts';
import { startService } from './start-service.ts';

export interface ServeOptions {
  readonly roles: readonly Role[];
  /** 1: this process does all of it; more: it is the parent of so many. */
  readonly processes: number;
  /** false: the database must have this version's schema already. */
  readonly migrates: boolean;
  /** Registers routes beside the app's own; no command gives it. */
  readonly registerMore?: ServiceOptions['registerMore'];
}

/** A parent waits for its processes, which have the grace period for themselves. */
const PARENT_MARGIN_MS = 4_000;
/** A start that must stop has answered no call yet; it needs little time to let go. */
const START_GRACE_MS = 250;

/**
 * Runs the service until it must stop: waits for the database, migrates, starts, and on
 * SIGINT, SIGTERM or the end of its parent finishes what runs, within SHUTDOWN_GRACE_SECONDS.
 *
 * @throws DatabaseNotReached, ConfigFaults, WrongEnvironment, ProcessNotStarted and system errors
 */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  if (config.failpoint) armFailpoint(config.failpoint);
  if (cluster.worker) return serveForParent(cluster.worker, config, options);
  const { roles, processes, registerMore } = options;
  const log = createLog({ level: config.logLevel });
  warnOfSettings(log);
  const stop = listenForStop(null);
  containUncaughtErrors({ log, replaceProcess: stop.fail });
  const isParent = processes > 1;
  const graceMs = config.shutdownGraceSeconds * 1_000 + (isParent ? PARENT_MARGIN_MS : 0);
  let schema: MigrateResult = { ran: [], newer: [] };
  await runUntilStopped({
    async start() {
      schema = await prepareDatabase(config, options, log, stop.signal);
      return isParent
        ? startProcesses({ config, clock: systemClock, log, count: processes, signal: stop.signal })
        : startService({ config, clock: systemClock, log, roles, registerMore });
    },
    onStarted({ port, opsPort }) {
      const simulatedNetwork = isNetworkSimulated(config);
      const { environment } = config;
      const { ran: migrations } = schema;
      const told = { environment, roles, processes, port, opsPort, migrations, simulatedNetwork };
      log.info(told, 'service started');
      freeMemoryOfStart();
    },
    stop,
    log,
    // Processes that have started already may have calls under way.
    startGraceMs: isParent ? graceMs : START_GRACE_MS,
    delayMs: delayOf(config, roles),
    graceMs,
  });
}

/** Only the public listener has load balancers before it. */
function delayOf({ shutdownDelaySeconds }: Config, roles: readonly Role[]): number {
  return roles.includes('api') ? shutdownDelaySeconds * 1_000 : 0;
}

/** A name with a slip sets nothing; other programs' variables are not ours to refuse. */
function warnOfSettings(log: Log): void {
  const faults = unknownSettings().map(describeUnknown);
  if (faults.length > 0) log.warn({ faults }, 'unknown settings');
  const doubts = doubtfulSettings();
  if (doubts.length > 0) log.warn({ faults: doubts }, 'doubtful settings');
}

/** A process among several: its parent has migrated, and has the operators' listener. */
async function serveForParent(
  worker: NonNullable<typeof cluster.worker>,
  config: Config,
  { roles, processes }: ServeOptions,
): Promise<void> {
  // Without it Node ends this process the moment its parent is gone, with calls half done.
  worker.exitedAfterDisconnect = true;
  let isStarted = false;
  const stop = listenForStop({ delayMs: () => (isStarted ? delayOf(config, roles) : 0) });
  const log = createLog({ level: config.logLevel, destination: sharedOutput() });
  containUncaughtErrors({ log, replaceProcess: stop.fail });
  await runUntilStopped({
    start: () => startService({ config, roles, processes, clock: systemClock, log }),
    onStarted(service) {
      isStarted = true;
      answerParent(process, service.health, service.port);
      log.info({ roles }, 'process started');
      freeMemoryOfStart();
    },
    stop,
    log,
    startGraceMs: START_GRACE_MS,
    // The parent waits for all processes, because load balancers ask the parent for readiness.
    delayMs: 0,
    graceMs: config.shutdownGraceSeconds * 1_000,
  });
}

function freeMemoryOfStart(): void {
  const memory = startMemoryOfProcess();
  if (memory) freeStartMemory(memory);
}

/** Waits for a database that is away, and brings it to this version's schema or checks it. */
async function prepareDatabase(
  config: Config,
  { processes, migrates }: ServeOptions,
  log: Log,
  signal: AbortSignal,
): Promise<MigrateResult> {
  let told = '';
  await waitForDatabase({
    url: config.databaseUrl,
    clock: systemClock,
    timeoutMs: config.startTimeout * 1_000,
    signal,
    onWait({ sentence: reason }) {
      if (reason !== told) log.warn({ reason }, 'waiting for the database');
      told = reason;
    },
  });
  await checkConnectionRoom(config, processes);
  const { databaseUrl: url, environment, runtimeRole } = config;
  const schema = migrates
    ? await migrate({ url, environment, transitions: TRANSITIONS, runtimeRole })
    : await checkSchema({ url, environment });
  const { newer } = schema;
  if (newer.length > 0) log.warn({ migrations: newer }, 'the database is newer than this version');
  return schema;
}
