/**
 * - `lost`: something was acknowledged or committed, and is missing.
 * - `unexpected`: something is there, or was answered, that must not be.
 * - `disordered`: everything is there, in a wrong order.
 * - `backlog`: work that the drain left undone.
 */
export type FindingKind = 'lost' | 'unexpected' | 'disordered' | 'backlog';

export type FindingLists = Readonly<Record<FindingKind, readonly string[]>>;

/** Collects the sentences of a verdict. */
export interface Findings {
  readonly lists: FindingLists;
  add(kind: FindingKind, sentence: string): void;
}

export function createFindings(): Findings {
  const lists: Record<FindingKind, string[]> = {
    lost: [],
    unexpected: [],
    disordered: [],
    backlog: [],
  };
  return { lists, add: (kind, sentence) => void lists[kind].push(sentence) };
}
