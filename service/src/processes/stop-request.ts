import { isatty } from 'node:tty';

/** The request that stops this process; it comes once. */
export interface StopRequest {
  /** Resolves with the reason; never rejects. */
  readonly reason: Promise<string>;
  /** Aborted in the same moment. */
  readonly signal: AbortSignal;
  /** Stops this process, which then exits with 1: systemd or the parent starts another. */
  readonly fail: (reason: string) => void;
}

/** SIGINT reaches every process of a terminal; a parent notifies its own processes of a stop. */
const SIGNALS = { alone: ['SIGINT', 'SIGTERM'], 'with a parent': ['SIGTERM'] } as const;

/**
 * Listens for a stop: a signal, or the end of the parent. Every later signal is ignored: systemd
 * signals a process that its parent signals too, and the default action would end the process in
 * the middle of its answers.
 */
export function listenForStop(place: keyof typeof SIGNALS): StopRequest {
  const stopped = Promise.withResolvers<string>();
  const aborting = new AbortController();
  const stop = (reason: string) => {
    stopped.resolve(reason);
    aborting.abort();
  };
  for (const signal of SIGNALS[place]) process.on(signal, stop);
  if (place === 'with a parent') process.on('SIGINT', () => {});
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
