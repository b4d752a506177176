/** A piece of a text; `differs`: the other text has something else there. */
export interface Piece {
  readonly text: string;
  readonly differs: boolean;
}

export type Likeness = 'SAME' | 'DIFFERENT' | 'UNKNOWN';

/**
 * Splits a text into pieces that the other text has and pieces that it has not. Texts of one length
 * are compared character by character: a payer mistypes more often than they add.
 */
export function differingPieces(text: string, other: string): Piece[] {
  if (text === other) return [{ text, differs: false }];
  const marks =
    text.length === other.length
      ? [...text].map((character, at) => character !== other[at])
      : middleMarks(text, other);
  const pieces: Piece[] = [];
  for (const [at, character] of [...text].entries()) {
    const differs = marks[at] ?? true;
    const last = pieces.at(-1);
    if (last?.differs === differs) {
      pieces[pieces.length - 1] = { text: last.text + character, differs };
    } else {
      pieces.push({ text: character, differs });
    }
  }
  return pieces;
}

/** Between the common beginning and the common end everything differs. */
function middleMarks(text: string, other: string): boolean[] {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [...text].map((_, at) => at >= start && at < text.length - end);
}

/** The reference of the money that is nearest to the one asked for; null: the money has none. */
export function nearestReference(references: readonly string[], asked: string): string | null {
  const distance = (reference: string) =>
    differingPieces(reference, asked).reduce(
      (sum, { text, differs }) => sum + (differs ? text.length : 0),
      Math.abs(reference.length - asked.length),
    );
  return references.reduce<string | null>(
    (nearest, each) => (nearest === null || distance(each) < distance(nearest) ? each : nearest),
    null,
  );
}

export function compareReferences(references: readonly string[], asked: string | null): Likeness {
  if (asked === null || references.length === 0) return 'UNKNOWN';
  return references.includes(asked) ? 'SAME' : 'DIFFERENT';
}

/**
 * Banks write names in capitals, without accents, the family name first: the words count, in any
 * order. A name with a further word is the same name.
 */
export function compareNames(one: string | null, other: string | null): Likeness {
  if (one === null || other === null) return 'UNKNOWN';
  const [first, second] = [wordsOf(one), wordsOf(other)];
  const [fewer, more] = first.size <= second.size ? [first, second] : [second, first];
  if (fewer.size === 0) return 'UNKNOWN';
  return [...fewer].every((word) => more.has(word)) ? 'SAME' : 'DIFFERENT';
}

function wordsOf(name: string): Set<string> {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''));
}

/** The place of a booking day beside the time in which a payment request could be paid. */
export type DayPlace = 'WITHIN' | 'BEFORE' | 'AFTER' | 'UNKNOWN';

/** @param day the booking day; the days of creation and end are those of the same time zone */
export function placeOfDay(day: string | null, createdOn: string, endedOn: string): DayPlace {
  if (day === null) return 'UNKNOWN';
  if (day < createdOn) return 'BEFORE';
  return day > endedOn ? 'AFTER' : 'WITHIN';
}
