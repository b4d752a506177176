import {
  type LONGER_TRANSACTIONS,
  MOMENTS,
  type OWN_TRANSACTIONS,
  type Place,
} from '#lib/failpoints/places.ts';
import { type Failpoint, startArmedProcess, untilSessionsEnd } from './armed-process.ts';
import { checkBooks, untilDrained } from './check-books.ts';
import type { Trial } from './trial.ts';

/** A journey of which a process dies at each of its failpoints. */
export interface Journey<State> {
  /** The work, as the title of a test names it. */
  readonly title: string;
  /** The role of the process that dies. */
  readonly role: 'api' | 'background';
  readonly failpoints: readonly Failpoint[];
  /** Makes what the journey needs, by the processes that live on. */
  prepare(trial: Trial): Promise<State>;
  /** The call during which the process dies; left out: a background process works by itself. */
  call?(trial: Trial, at: string, state: State): Promise<unknown>;
  /** After the death: what the merchant or the payer does again, and what must then be true. */
  finish(trial: Trial, state: State, failpoint: Failpoint): Promise<void>;
  /** After all work is done: what must be true beyond the books. */
  check?(trial: Trial, state: State, failpoint: Failpoint): Promise<void>;
}

/** All places around statements that are their own transactions. */
export const aroundOwn = (...names: (keyof typeof OWN_TRANSACTIONS)[]): Place[] =>
  names.flatMap((name): Place[] => [`before/${name}`, `after/${name}`]);

/** All places around statements of longer transactions, and around their commits. */
export const aroundLonger = (...names: (keyof typeof LONGER_TRANSACTIONS)[]): Place[] =>
  names.flatMap((name) => MOMENTS.map((moment): Place => `${moment}/${name}`));

/** Whether a statement's transaction was committed when the process died. */
export const isCommitted = (failpoint: Failpoint): boolean =>
  failpoint === 'answer-ready' || failpoint.startsWith('after-commit/');

/** Runs a journey to the death at one failpoint, on to its end, and checks the whole deployment. */
export async function dieAndRecover<State>(
  trial: Trial,
  journey: Journey<State>,
  failpoint: Failpoint,
): Promise<void> {
  const { role, call } = journey;
  // A living background process would do the work of the one that is to die.
  if (role === 'background') await trial.stopBackground();
  const state = await journey.prepare(trial);
  const armed = await startArmedProcess(trial.settings, role, failpoint);
  try {
    if (call) {
      const lost = await call(trial, await armed.ready(), state).catch((error: Error) => error);
      if (!(lost instanceof TypeError)) throw new Error('the call had an answer', { cause: lost });
    }
    await armed.died();
  } finally {
    armed.end();
  }
  await untilSessionsEnd(trial.database, 'armed');
  if (role === 'background') await trial.startBackground();
  await journey.finish(trial, state, failpoint);
  await untilDrained(trial);
  await journey.check?.(trial, state, failpoint);
  await checkBooks(trial);
}
