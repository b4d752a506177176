import { nearestWord } from '#lib/words/nearest-word.ts';

/** The kinds of pages to find, in the order of their lists. */
export const KINDS = ['Guides', 'Calls', 'Problems'] as const;

/** A page that a search finds. */
export interface Findable {
  readonly kind: (typeof KINDS)[number];
  readonly title: string;
  readonly address: string;
  /** HTML before the title. */
  readonly mark: string;
  /** The path of a call, the code of a problem. */
  readonly place: string;
  /** The text that excerpts are cut from. */
  readonly text: string;
  /** All that a search looks at, in lower case. */
  readonly words: string;
}

/** A word of four characters that no text has may be misspelt; a shorter one is like too many. */
const WORD = /[a-z_]{4,}/g;

/** A comparison with all words takes 2 ms. */
const MOST_MISSPELT = 3;

/** The texts in which each word of the query stands; first those with all words in the title. */
export function search(texts: readonly Findable[], query: string): Findable[] {
  const words = wordsOf(query);
  const hasWords = (searched: string) => words.every((word) => searched.includes(word));
  const found = texts.filter((text) => hasWords(text.words));
  const { first = [], others = [] } = Object.groupBy(found, (text) =>
    hasWords(text.title.toLowerCase()) ? 'first' : 'others',
  );
  return [...first, ...others];
}

/** The query, with the nearest word of the texts in place of each word that no text has. */
export function wordsLike(query: string, texts: readonly Findable[]): string {
  const isKnown = (word: string) => texts.some(({ words }) => words.includes(word));
  const asked = wordsOf(query);
  const unknown = asked.filter((word) => !isKnown(word));
  if (unknown.length === 0 || unknown.length > MOST_MISSPELT) return query;
  const known = [...new Set(texts.flatMap(({ words }) => words.match(WORD) ?? []))];
  const meant = (word: string) => (unknown.includes(word) ? nearestWord(word, known) : null);
  return asked.map((word) => meant(word) ?? word).join(' ');
}

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}
