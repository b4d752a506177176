import { isatty } from 'node:tty';
import { isStopOrder } from './process-messages.ts';

/** The request that stops this process; it comes once. */
export interface StopRequest {
  /** Resolves with the reason; never rejects. */
  readonly reason: Promise<string>;
  /** Aborted in the same moment. */
  readonly signal: AbortSignal;
  /** Stops this process, which then exits with 1: systemd or the parent starts another. */
  readonly fail: (reason: string) => void;
}

/**
 * Listens for a stop: a signal, the order of the parent, or its end. Every later signal is ignored:
 * the default action would end the process in the middle of its answers.
 *
 * @param parent null: this process has none
 * @param parent.delayMs how long a SIGTERM to this process waits for the parent, which may have got
 *   the signal, too, and still takes calls; the parent's order ends the wait
 */
export function listenForStop(parent: { readonly delayMs: () => number } | null): StopRequest {
  const stopped = Promise.withResolvers<string>();
  const aborting = new AbortController();
  const stop = (reason: string) => {
    stopped.resolve(reason);
    aborting.abort();
  };
  if (parent) {
    // SIGINT reaches every process of a terminal.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', (signal) => setTimeout(stop, parent.delayMs(), signal));
    process.on('message', (message) => isStopOrder(message) && stop('parent'));
  } else {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  }
  // Node.js undoes the setting of nohup. Without a terminal a hang-up cannot happen.
  process.on('SIGHUP', hasTerminal() ? stop : () => {});
  listenForParent(() => stop('parent gone'));
  const fail = (reason: string) => {
    process.exitCode = 1;
    stop(reason);
  };
  return { reason: stopped.promise, signal: aborting.signal, fail };
}

/** A killed parent cannot send a signal; the end of its channel has the same meaning. */
function listenForParent(onGone: () => void): void {
  if (!process.channel) return;
  process.on('disconnect', onGone);
  if (!process.connected) onGone();
}

function hasTerminal(): boolean {
  return [0, 1, 2].some((fd) => isatty(fd));
}
