import type { Clock } from '#lib/clock.ts';
import { createParentMetrics } from '#processes/parent-metrics.ts';
import { createProcessesHealth } from '#processes/processes-health.ts';
import { superviseProcesses } from '#processes/supervise-processes.ts';
import { STARTING, STOPPING } from '#telemetry/health/report-readiness.ts';
import type { Log } from '#telemetry/log/log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { createOpsApp } from './app.ts';
import { listen } from './compose/listen.ts';
import { openWrites } from './compose/messages/receipt-deps.ts';
import { isNetworkSimulated } from './compose/networks.ts';
import type { Config } from './config.ts';
import type { RunningService } from './start-service.ts';
import { SERVICE_VERSION } from './version.ts';

export interface ProcessesOptions {
  readonly config: Config;
  /** How many, at least 2. */
  readonly count: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted: the start ends, and with it the processes that have started. */
  readonly signal: AbortSignal;
}

/**
 * Starts several processes of this service, which share its port, and their parent's part: it keeps
 * them running and has the operators' listener (decision 0024).
 *
 * @throws ProcessNotStarted
 */
export async function startProcesses(
  options: ProcessesOptions,
): Promise<Omit<RunningService, 'wake'>> {
  const { config, count, clock, log, signal } = options;
  const deployment = { environment: config.environment, version: SERVICE_VERSION };
  let unreadyBecause: string | null = STARTING;
  const supervisor = superviseProcesses({
    count,
    clock,
    log,
    graceMs: config.shutdownGraceSeconds * 1_000,
  });
  const health = createProcessesHealth({
    places: supervisor.places,
    parentMetrics: createParentMetrics(deployment),
    facts: {
      version: SERVICE_VERSION,
      simulatedNetwork: isNetworkSimulated(config),
      cell: config.cell,
    },
    unreadyBecause: () => unreadyBecause,
  });
  const metrics = createMetrics(deployment);
  const writes = await openWrites({ config, clock, log, metrics });
  const ops = createOpsApp({
    clock,
    origin: new URL(config.publicApiUrl).origin,
    // Answers of the operators' listener are not counted: no alert needs them.
    requestLog: { log, clock, metrics },
    health,
    opsToken: config.opsToken,
    opsHost: config.opsHost,
    smsReceipts: writes.smsReceipts,
    programs: writes.programs,
  });
  function becomeUnready(): void {
    unreadyBecause = STOPPING;
  }
  async function stop(): Promise<void> {
    becomeUnready();
    const isClean = await supervisor.stop();
    await ops.close();
    await writes.close();
    if (isClean) return;
    log.error({ reason: 'a process did not end in good order' }, 'service stopped hard');
    process.exitCode = 1;
  }
  const endStart = () => void supervisor.stop();
  signal.addEventListener('abort', endStart);
  try {
    signal.throwIfAborted();
    const opsPort = await listen(ops, config.opsHost, config.opsPort);
    const port = await supervisor.start();
    unreadyBecause = null;
    const unfinished = () => supervisor.unfinished();
    return { port, opsPort, health, becomeUnready, stop, unfinished };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', endStart);
  }
}
