import { setTimeout as sleep } from 'node:timers/promises';
import type { StopRequest } from '#processes/stop-request.ts';
import type { Log } from '#telemetry/log/log.ts';

/** A running service that a stop ends. */
export interface Stoppable {
  /** Makes readiness fail; calls are taken as before. */
  becomeUnready(): void;
  /** Takes nothing new, finishes what runs, and lets go of everything. */
  stop(): Promise<void>;
  /** The work that has not ended yet, for the log of a stop that ran out of time. */
  unfinished(): readonly string[];
}

export interface RunOptions<Service extends Stoppable> {
  readonly start: () => Promise<Service>;
  readonly onStarted: (service: Service) => void;
  readonly stop: StopRequest;
  readonly log: Log;
  /** How long a start under way may take to end when the stop comes before it has ended. */
  readonly startGraceMs: number;
  /** How long a started service still takes calls after the stop came, with failing readiness. */
  readonly delayMs: number;
  /** How long the whole stop may take after that. */
  readonly graceMs: number;
}

/**
 * Starts a service, runs it until it must stop, and stops it in good order within the grace
 * period. Then it ends the process. A stop during the start also ends the process, at any wait of
 * the start.
 *
 * @throws whatever the start throws
 */
export async function runUntilStopped<Service extends Stoppable>(
  options: RunOptions<Service>,
): Promise<void> {
  const { stop, log } = options;
  const starting = options.start();
  let service = await startedBefore(stop, starting);
  if (service) options.onStarted(service);
  const reason = await stop.reason;
  log.info({ reason }, 'service stopping');
  if (service && options.delayMs > 0) {
    service.becomeUnready();
    await sleep(options.delayMs);
  }
  const overdue = setTimeout(() => {
    const unfinished = service?.unfinished() ?? ['start'];
    log.error({ reason: 'the grace period is over', unfinished }, 'service stopped hard');
    process.exit(1);
  }, options.graceMs);
  service ??= await within(options.startGraceMs, starting);
  await service?.stop();
  clearTimeout(overdue);
  log.info({}, 'service stopped');
  // At once: a start may still wait for something that never comes. And while Node.js takes itself
  // down after its last handle, a repeated signal would have its default action.
  process.exit();
}

/** The started service; null where the stop comes first. */
async function startedBefore<Service>(
  stop: StopRequest,
  starting: Promise<Service>,
): Promise<Service | null> {
  try {
    return await Promise.race([starting, stop.reason.then(() => null)]);
  } catch (error) {
    if (stop.signal.aborted) return null;
    // The open channel to a parent would keep this process, whose fault is told now.
    process.channel?.unref();
    throw error;
  }
}

/** The result of `work`; null where it fails, or takes longer. */
async function within<Result>(forMs: number, work: Promise<Result>): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), forMs);
  try {
    return await Promise.race([work.catch(() => null), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
