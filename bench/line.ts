import type { Use } from './child-processes/watch-process.ts';

/** The result of a contender's round; a figure is absent when it is unknown or does not apply. */
export interface Sample extends Use {
  /** The good answers, transactions or deliveries that the times of `Use` were spent on. */
  readonly count?: number;
  /** CPU time of the measured process for each of `count`, in microseconds. */
  readonly cpuUs?: number;
  /** CPU time of all PostgreSQL's processes for each, in microseconds. */
  readonly databaseUs?: number;
  /** Planning and execution in PostgreSQL for each, in microseconds; waits count in. */
  readonly statementUs?: number;
  /** Good answers, transactions or deliveries a second. */
  readonly perSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

/** A program that does the work of a line: the service, a limit of the machine, or a peer. */
export interface Contender {
  readonly name: string;
  /** Measures a round. Throws when anything failed, because such a round has no meaning. */
  readonly run: () => Promise<Sample>;
}

/** A line of the table: the service, and the contenders beside it, measured in turn. */
export interface Line {
  readonly name: string;
  /** The figure of the ratios; a smaller time is better. */
  readonly figure: 'perSecond' | 'p50Ms' | 'p99Ms';
  readonly ours: Contender;
  readonly beside: readonly Contender[];
  /** Ends the parts that only this line needs. */
  readonly end?: () => Promise<void>;
}

/** Makers of lines by name; a maker starts the parts that its line needs. */
export type LineMakers = Readonly<Record<string, () => Promise<Line>>>;
