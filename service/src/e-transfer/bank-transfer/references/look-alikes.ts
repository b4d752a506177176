import { isOurReference, withoutSeparators } from './creditor-reference.ts';

/** Letters that payers take for digits; a reference of ours has digits behind `RF`. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};
const REFERENCE_LENGTH = 21;

/** References of ours that a text holds when letters are read as the digits they look like. */
export function lookAlikesIn(text: string): readonly string[] {
  const plain = withoutSeparators(text);
  const starts = [...plain.matchAll(/RF/g)].map(({ index }) => index);
  const read = starts.map((start) => {
    const digits = plain.slice(start + 2, start + REFERENCE_LENGTH);
    return `RF${digits.replaceAll(/[OQDILZSGB]/g, (letter) => LOOK_ALIKES[letter] ?? letter)}`;
  });
  return [...new Set(read.filter(isOurReference))];
}

/**
 * Whether a comparison is worth its time: the text holds a reference written with look-alikes, or
 * nearly as many digits as a reference has.
 */
export function mayHoldReference(text: string, mostLetters: number): boolean {
  const digits = text.match(/\d/g)?.length ?? 0;
  return digits >= REFERENCE_LENGTH - 2 - mostLetters || lookAlikesIn(text).length > 0;
}

/**
 * The fewest letters to change, add or leave out until the text holds the reference (Sellers, "The
 * theory and computation of evolutionary distances", 1980).
 */
export function distanceInText(reference: string, text: string): number {
  let best = reference.length;
  let column = Array.from({ length: reference.length + 1 }, (_, n) => n);
  for (const letter of withoutSeparators(text)) {
    const next = [0];
    for (let n = 1; n <= reference.length; n += 1) {
      const changed = (column[n - 1] ?? 0) + (reference[n - 1] === letter ? 0 : 1);
      next.push(Math.min(changed, (column[n] ?? 0) + 1, (next[n - 1] ?? 0) + 1));
    }
    column = next;
    best = Math.min(best, column.at(-1) ?? best);
  }
  return best;
}
