import type { DatabaseClock } from '#lib/clock.ts';

/** A run of `payreq`: all that a command reads from and writes to its surroundings. */
export interface Invocation {
  /** The environment; `--env-file` adds to it. */
  readonly env: Record<string, string | undefined>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Follows the clock of the database once a command has compared the two. */
  readonly clock: DatabaseClock;
  /** Aborts at the first SIGINT or SIGTERM; a second one ends the process. */
  interruption(): AbortSignal;
  /** Ends the run with exit code 1: a command that did its work has found a fault. */
  fail(): void;
  /** Ends the run with exit code 3: the act was only proposed. */
  markProposed(): void;
}

/** A stream that is a terminal tells its width. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};
