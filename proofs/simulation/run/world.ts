import { DatabaseUnavailable } from '#database/database.ts';
import { Problem } from '#lib/problem.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { MemoryDatabase } from '../memory/memory-database.ts';
import type { Random } from './random.ts';

/** The seed of a step makes all its random numbers, so that a shorter list repeats the step. */
export interface Step {
  readonly kind: string;
  readonly seed: number;
}

/** A part of the service in memory, which a run of random steps tries to bring out of order. */
export interface World {
  /** How often each kind of step is taken, in relation to the others. */
  readonly weights: Readonly<Record<string, number>>;
  /** @returns the step in words, for the list of a failing seed */
  take(kind: string, random: Random): Promise<string>;
  /** @throws BrokenInvariant */
  check(): void;
  /** Ends every fault, does all that is due, and checks what must be over by then. */
  finish(): Promise<void>;
}

/** The answer of a call whose outcome the caller cannot know, or which was refused. */
export type Unanswered = 'UNKNOWN' | 'REFUSED';

/** The share of steps that meet a fault of the database. */
const FAULTS = 0.15;
/** The longest use case has some dozen statements. */
const MOST_STATEMENTS = 12;

/** @returns the fault in words; empty: none */
export function planFault(db: MemoryDatabase, random: Random): string {
  if (!random.chance(FAULTS)) return '';
  if (random.chance(0.3)) {
    db.plan({ kind: 'COMMIT_ANSWER_LOST' });
    return ' [answer of a commit lost]';
  }
  const after = random.below(MOST_STATEMENTS);
  db.plan({ kind: 'BEFORE_STATEMENT', after });
  return ` [connection lost before statement ${after + 1}]`;
}

/** Awaits a call. Any error that a caller of the service would not expect refutes the run. */
export async function attempt<Result>(work: Promise<Result>): Promise<Result | Unanswered> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return 'UNKNOWN';
    if (error instanceof Problem || error instanceof OperatorFault) return 'REFUSED';
    throw error;
  }
}

export function isUnanswered<Result>(result: Result | Unanswered): result is Unanswered {
  return result === 'UNKNOWN' || result === 'REFUSED';
}
