/** A small change of the code that a test must notice. */
export interface Mutant {
  /** Unique in its area; the value of the environment that switches it on. */
  readonly id: string;
  readonly file: string;
  /** The line of the file; the first line is 1. */
  readonly line: number;
  /** The text of that line, without the spaces around it. */
  readonly place: string;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

export type Verdict =
  | 'KILLED'
  /** A test runs it, and none fails. */
  | 'SURVIVED'
  /** No test runs it. */
  | 'UNREACHED';

export interface Tried {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  /** The test that failed; null: none. */
  readonly by: string | null;
  /** Killed by the time limit of a test: such a mutant makes a loop endless. */
  readonly isLate: boolean;
}

/** A survivor that no test can notice: its behaviour is that of the original. */
export interface Equivalent {
  readonly file: string;
  /** The text of the mutant's first line: equal changes elsewhere are other mutants. */
  readonly place: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

export interface Score {
  readonly tried: number;
  readonly killed: number;
  readonly survived: readonly Tried[];
  readonly equivalent: number;
  /** Those of the killed that a time limit killed. */
  readonly late: number;
  /** Killed mutants of all that are not equivalent, from 0 to 1. */
  readonly share: number;
}

export function isEquivalent(mutant: Mutant, equivalents: readonly Equivalent[]): boolean {
  return equivalents.some(
    ({ file, place, original, replacement }) =>
      file === mutant.file &&
      place === mutant.place &&
      original === mutant.original &&
      replacement === mutant.replacement,
  );
}

/** Equivalent mutants count neither way. */
export function scoreOf(tried: readonly Tried[], equivalents: readonly Equivalent[]): Score {
  const killed = tried.filter(({ verdict }) => verdict === 'KILLED');
  const left = tried.filter(({ verdict }) => verdict !== 'KILLED');
  const survived = left.filter(({ mutant }) => !isEquivalent(mutant, equivalents));
  const counted = killed.length + survived.length;
  return {
    tried: tried.length,
    killed: killed.length,
    survived,
    equivalent: left.length - survived.length,
    late: killed.filter(({ isLate }) => isLate).length,
    share: counted === 0 ? 1 : killed.length / counted,
  };
}
