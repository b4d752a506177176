/** No name of this service is longer. A comparison costs the product of both lengths. */
const LONGEST_COMPARED = 40;
/** A shorter text is the beginning of too many names. */
const SHORTEST_BEGINNING = 4;
/** A word with a larger part changed is probably another word. */
const MOST_CHANGED = 0.4;

/**
 * How far two words are apart: 0 for equal words but for case and separators, 1 for words with
 * nothing in common. The beginning of a word is near the word: `cancel` and `cancellation`.
 */
export function wordDistance(one: string, other: string): number {
  if (one.length > LONGEST_COMPARED || other.length > LONGEST_COMPARED) return 1;
  const [left, right] = [plain(one), plain(other)];
  if (left === right) return 0;
  const longer = Math.max(left.length, right.length);
  const isHopeless = Math.abs(left.length - right.length) > longer / 2;
  const changed = isHopeless ? 1 : countChanges(left, right) / longer;
  const stem = left.replace(/s$/, '');
  const isBeginning = stem.length >= SHORTEST_BEGINNING && right.startsWith(stem);
  return isBeginning ? Math.min(changed, MOST_CHANGED / 2) : changed;
}

/** The word that is nearest to a text; null: none is near. */
export function nearestWord(text: string, words: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = MOST_CHANGED;
  for (const word of words) {
    const distance = wordDistance(text, word);
    if (distance < least) [nearest, least] = [word, distance];
  }
  return nearest;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '');
}

const counts = new Uint8Array(LONGEST_COMPARED + 1);

/** The Levenshtein distance: insertions, deletions and replacements of a character. */
function countChanges(left: string, right: string): number {
  for (let column = 0; column <= right.length; column += 1) counts[column] = column;
  for (let row = 1; row <= left.length; row += 1) {
    const own = left.charCodeAt(row - 1);
    let diagonal = row - 1;
    let before = row;
    for (let column = 1; column <= right.length; column += 1) {
      const above = counts[column] ?? 0;
      const replaced = diagonal + (own === right.charCodeAt(column - 1) ? 0 : 1);
      counts[column - 1] = before;
      before = Math.min(replaced, above + 1, before + 1);
      diagonal = above;
    }
    counts[right.length] = before;
  }
  return counts[right.length] ?? 0;
}
