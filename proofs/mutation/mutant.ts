/** A small change of the code that a test must notice. */
export interface Mutant {
  /** Unique in its area; the value of the environment that switches it on. */
  readonly id: string;
  readonly file: string;
  /** The line of the file; the first line is 1. */
  readonly line: number;
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
}

/** A survivor that no test can notice: its behaviour is that of the original. */
export interface Equivalent {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

export interface Score {
  readonly killed: number;
  readonly survived: readonly Tried[];
  readonly equivalent: number;
  /** Killed mutants of all that are not equivalent, from 0 to 1. */
  readonly share: number;
}

/** Equivalent mutants count neither way. */
export function scoreOf(tried: readonly Tried[], equivalents: readonly Equivalent[]): Score {
  const isEquivalent = ({ mutant }: Tried) =>
    equivalents.some(
      ({ file, original, replacement }) =>
        file === mutant.file && original === mutant.original && replacement === mutant.replacement,
    );
  const killed = tried.filter(({ verdict }) => verdict === 'KILLED').length;
  const left = tried.filter(({ verdict }) => verdict !== 'KILLED');
  const survived = left.filter((each) => !isEquivalent(each));
  const counted = killed + survived.length;
  return {
    killed,
    survived,
    equivalent: left.length - survived.length,
    share: counted === 0 ? 1 : killed / counted,
  };
}
