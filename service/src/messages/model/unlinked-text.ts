/** Marks that turn the direction of text: a name could rewrite the amount beside it. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Line breaks and other control characters: a value has no lines of its own. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** The marks of an address, also as full-width and ideographic characters, before a character. */
const ADDRESS_MARKS = /[.:@\uff0e\u3002\uff61\uff1a\uff20](?=\S)/gu;
/** A word that a mail program may take for an address of a page or a mail. */
const ADDRESS = /:\/\/|^\W*www\.|@|[\p{L}\p{N}][.\u3002]\p{L}{2}|\d\.\d+\.\d+\.\d|\p{L}:\S/iu;
/** Joins words without a width, so that no mail program takes them for an address. */
const WORD_JOINER = '\u2060';

/**
 * A value of the merchant or the payer as a message shows it: on one line, in its own direction,
 * and never a link (messages §4). A URL on one of the origins stays as it is.
 */
export function unlinkedText(value: string, origins: readonly string[]): string {
  return value
    .replace(DIRECTION_MARKS, '')
    .replace(CONTROLS, ' ')
    .split(/(\s+)/)
    .map((word) =>
      isOnOrigin(word, origins) ? word : word.replace(ADDRESS_MARKS, `$&${WORD_JOINER}`),
    )
    .join('');
}

/**
 * Whether a text has an address of a page or a mail on none of the origins. `unlinkedText` marks
 * more words than those, so that a text which passes is harmless, too.
 */
export function hasForeignAddress(text: string, origins: readonly string[]): boolean {
  // Full-width and other forms of the marks of an address count as the marks themselves.
  const words = text.split(/\s+/).filter((word) => ADDRESS.test(word.normalize('NFKC')));
  return !words.every((word) => isOnOrigin(word, origins));
}

/** The origins whose URLs may be links: those of return URLs, and that of the merchant's pages. */
export function linkedOrigins(
  returnOrigins: readonly string[],
  website: string | null,
): readonly string[] {
  const own = URL.parse(website ?? '')?.origin;
  return own === undefined ? returnOrigins : [...returnOrigins, own];
}

/** Behind other characters a mail program ends the URL, and takes what follows for another one. */
const PLAIN_URL = /^https:\/\/[\p{L}\p{N}\p{M}.-]+(:\d+)?([/?#][\p{L}\p{N}\p{M}\-._~/?#=&%+]*)?$/iu;

function isOnOrigin(word: string, origins: readonly string[]): boolean {
  if (!PLAIN_URL.test(word)) return false;
  const url = URL.parse(word);
  return url?.protocol === 'https:' && origins.includes(url.origin);
}
