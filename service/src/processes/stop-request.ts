import { isatty } from 'node:tty';

/** Tells once that this process is to stop. */
export interface StopRequest {
  /** Resolves with the reason; never rejects. */
  readonly reason: Promise<string>;
  /** Aborted at the same moment. */
  readonly signal: AbortSignal;
}

/** SIGINT reaches every process of a terminal; a parent tells its own processes when to stop. */
const SIGNALS = { alone: ['SIGINT', 'SIGTERM'], 'with a parent': ['SIGTERM'] } as const;

/**
 * Listens for what tells this process to stop: a signal, or the end of its parent. Every later
 * signal is ignored: systemd signals a process that its parent signals too, and the default action
 * would end the process in the middle of its answers.
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
  // Node.js takes back what nohup has set. Without a terminal there is nobody who hangs up.
  process.on('SIGHUP', hasTerminal() ? stop : () => {});
  listenForParent(() => stop('parent gone'));
  return { reason: stopped.promise, signal: aborting.signal };
}

/** A parent that was killed cannot send a signal; its channel's end says the same. */
function listenForParent(onGone: () => void): void {
  if (!process.channel) return;
  process.on('disconnect', onGone);
  if (!process.connected) onGone();
}

function hasTerminal(): boolean {
  return [0, 1, 2].some((fd) => isatty(fd));
}
