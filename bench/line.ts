import type { Use } from './child-processes/watch-process.ts';

/** What one contender did in one round. What is left out does not apply, or is not known of it. */
export interface Sample extends Use {
  /** Good answers, transactions or deliveries a second. */
  readonly perSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

/** Who does the work of a line: ours, the machine's limit, or somebody else's program. */
export interface Contender {
  readonly name: string;
  /** One round. Throws where anything failed: such a round says nothing. */
  readonly run: () => Promise<Sample>;
}

/** One line of the table: ours, and what it is measured beside, in turn. */
export interface Line {
  readonly name: string;
  /** What ratios are made of; a time is better where it is smaller. */
  readonly figure: 'perSecond' | 'p50Ms' | 'p99Ms';
  readonly ours: Contender;
  readonly beside: readonly Contender[];
  /** Ends what only this line needed. */
  readonly end?: () => Promise<void>;
}

/** Lines by name, made when they are first wanted: what a line needs is started by it alone. */
export type LineMakers = Readonly<Record<string, () => Promise<Line>>>;

/** How long and how much a run measures. */
export interface Effort {
  readonly rounds: number;
  /** Of one round of calls. */
  readonly seconds: number;
  /** Before each round of calls, not counted: connections open, code gets compiled. */
  readonly warmUpSeconds: number;
  /** Webhooks of one round. */
  readonly deliveries: number;
  readonly lagSeconds: number;
  /** Listeners that these webhooks go to, in turn. */
  readonly lagListeners: number;
  /** After a start, before its memory is looked at. */
  readonly restSeconds: number;
}

/** Machines are shared and noisy: of five rounds the median holds when two are disturbed. */
export const FULL: Effort = {
  rounds: 5,
  seconds: 5,
  warmUpSeconds: 1,
  deliveries: 5_000,
  lagSeconds: 20,
  lagListeners: 100,
  restSeconds: 5,
};

/** Shows that everything works, in seconds; its figures mean little. */
export const QUICK: Effort = {
  rounds: 1,
  seconds: 0.1,
  warmUpSeconds: 0.05,
  deliveries: 100,
  lagSeconds: 0.3,
  lagListeners: 10,
  restSeconds: 0.2,
};
