import type { Clock } from '#lib/clock.ts';
import { connectClient } from './connect-client.ts';
import { type ConnectFault, DatabaseNotReached } from './describe-connect-fault.ts';

/** A database that starts is found within a quarter of a second, later within 2 s. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

export interface WaitForDatabaseOptions {
  readonly url: string;
  readonly clock: Pick<Clock, 'steadyMs'>;
  /** How long to wait in all; 0: one try. A try itself takes up to 5 s. */
  readonly timeoutMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called after a try that failed, before the next one. */
  readonly onWait: (fault: ConnectFault) => void;
}

/**
 * Waits until the database takes a connection. Only a fault that can heal is waited for.
 *
 * @throws DatabaseNotReached when the time is over, or at once for a fault that cannot heal
 * @throws the signal's reason when the wait is ended
 */
export async function waitForDatabase(options: WaitForDatabaseOptions): Promise<void> {
  const { clock, signal } = options;
  const endsMs = clock.steadyMs() + options.timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const fault = await orAborted(tryOnce(options.url), signal);
    if (fault === null) return;
    if (!fault.fault.canHeal || clock.steadyMs() + pauseMs >= endsMs) throw fault;
    options.onWait(fault.fault);
    await orAborted(new Promise((resolve) => setTimeout(resolve, pauseMs)), signal);
  }
}

async function tryOnce(url: string): Promise<DatabaseNotReached | null> {
  try {
    const client = await connectClient(url);
    await client.end();
    return null;
  } catch (error) {
    if (error instanceof DatabaseNotReached) return error;
    throw error;
  }
}

/** The result of `work`, or a rejection as soon as the signal aborts. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  // The work goes on unheard after an abort; its failure must not end the process.
  work.catch(() => {});
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
