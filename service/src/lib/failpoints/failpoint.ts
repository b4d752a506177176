import { type CodePlace, type Moment, PLACES, type Place } from './places.ts';

/** A place, and the number of the passage at which the process dies; the first is 1. */
export type Failpoint = ReturnType<typeof readFailpoint>;

interface Armed {
  readonly place: Place;
  /** The place of a statement; null for a place in the code. */
  readonly around: { readonly moment: Moment; readonly statement: string } | null;
  /** Transactions that have run the statement and are not over. */
  readonly transactions: WeakSet<object>;
  passagesLeft: number;
}

/** undefined in every process but those of tests: each call of this file is then one comparison. */
let armed: Armed | undefined;

/** No test has to count further. */
const MOST_PASSAGES = 1_000_000;

/**
 * Reads `place` or `place:n`, the n-th passage.
 *
 * @throws Error whose message ends the sentence "FAILPOINT …"
 */
export function readFailpoint(text: string) {
  const [name = '', count = '1', ...rest] = text.split(':');
  const place = PLACES.find((each) => each === name);
  if (!place) throw new Error(`names no failpoint; the failpoints are ${PLACES.join(', ')}`);
  const passage = /^\d{1,7}$/.test(count) && rest.length === 0 ? Number(count) : 0;
  if (passage < 1 || passage > MOST_PASSAGES) {
    throw new Error(`must be ${place} or ${place}:n, with n from 1 to ${MOST_PASSAGES}`);
  }
  return { place, passage };
}

/** Lets this process kill itself at a place; null: nowhere. For tests alone. */
export function armFailpoint(failpoint: Failpoint | null): void {
  if (!failpoint) {
    armed = undefined;
    return;
  }
  const { place, passage: passagesLeft } = failpoint;
  const [moment, statement] = place.split('/');
  const around = statement === undefined ? null : { moment: moment as Moment, statement };
  armed = { place, around, transactions: new WeakSet(), passagesLeft };
}

/** Passes a place in the code. */
export function passFailpoint(place: CodePlace): void {
  if (armed !== undefined && armed.place === place) countPassage(armed);
}

/** Passes a statement that is about to be sent, or was answered, within a transaction or alone. */
export function passStatement(moment: 'before' | 'after', statement: string, line: object): void {
  if (armed === undefined || armed.around?.statement !== statement) return;
  armed.transactions.add(line);
  if (armed.around.moment === moment) countPassage(armed);
}

/** Passes the COMMIT of a transaction, about to be sent or answered. */
export function passCommit(moment: 'before-commit' | 'after-commit', line: object): void {
  if (armed === undefined || armed.around?.moment !== moment) return;
  if (armed.transactions.has(line)) countPassage(armed);
}

function countPassage(failpoint: Armed): void {
  failpoint.passagesLeft -= 1;
  if (failpoint.passagesLeft > 0) return;
  process.stderr.write(`failpoint ${failpoint.place}\n`);
  // SIGKILL works like a power cut: no listener of a signal or of the process's end runs.
  process.kill(process.pid, 'SIGKILL');
}
