/** Letters that Unicode does not decompose, as people type them without their keyboard. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Each trigram costs an entry of the index: the longest name, references and most messages fit. */
const LONGEST_TEXT = 400;
/** The length of the longest reference; longer values of metadata are no reference. */
const LONGEST_VALUE = 64;
/** More words narrow no search. */
const MOST_WORDS = 8;
const LONGEST_SEARCH = 100;
/** Fewer characters have no trigram. A word of another script may be a whole name. */
const SEARCHABLE = /[^ ]{3}|[^\0-\x7f]/;

/** The values of a payment request by whose parts people search. */
export interface SearchedValues {
  readonly name: string;
  readonly merchantAccountId: string | null;
  readonly invoiceNumber: string | null;
  readonly merchantTransactionId: string | null;
  readonly displayMessage: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** The text of a payment request: a line for each value, each word behind a space. */
export function searchTextOf({ metadata, ...values }: SearchedValues): string {
  const { name, merchantAccountId, invoiceNumber, merchantTransactionId, displayMessage } = values;
  const references = Object.values(metadata ?? {}).filter((each) => each.length <= LONGEST_VALUE);
  return [name, merchantAccountId, invoiceNumber, merchantTransactionId, displayMessage]
    .concat(references)
    .map((value) => foldText(value ?? ''))
    .filter((text) => text !== '')
    .map((text) => ` ${text}`)
    .join('\n')
    .slice(0, LONGEST_TEXT);
}

/**
 * The patterns that all must match a text: each typed word, in any order. `inv-2026` is a word of
 * two parts, which stand together. A short word begins a word of the text.
 *
 * @returns null: too little to search by, or too much
 */
export function searchPatterns(searched: string): readonly string[] | null {
  const words = searched
    .slice(0, LONGEST_SEARCH + 1)
    .split(/\s+/)
    .map(foldText);
  const typed = words.filter((word) => word !== '');
  if (searched.length > LONGEST_SEARCH || !typed.some((word) => SEARCHABLE.test(word))) return null;
  return typed.slice(0, MOST_WORDS).map((word) => (word.length < 3 ? `% ${word}%` : `%${word}%`));
}

/** Lower case without accents and punctuation; a folded text has no wildcard of LIKE. */
function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(UNDECOMPOSED, (letter) => PLAIN[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
