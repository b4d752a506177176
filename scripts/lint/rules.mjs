// The rules of plain English that `npm run lint` holds, with their limits. CONTRIBUTING.md says
// how to write instead.

/** A sentence that opens with a pronoun or a preposition hides its subject. */
const OPENERS = 'What|Whoever|Whatever|Of|One|The same|Where|As|Nobody|From|Who';
const OPENING = new RegExp(String.raw`^["'“‘(*_\[]*(?:${OPENERS})(?![\w'’-])`);

/**
 * The share of openers that each kind of text may have, in percent: the present share, rounded up.
 * For comparison, graphile/worker and fastify/demo have 1 to 2 %. A limit only falls.
 */
export const MOST_OPENERS = {
  comments: 1,
  'sentences inside comments': 1,
  'sentences of documents': 1,
  'test titles': 1,
  'texts for people': 1,
};

/**
 * Metaphors and home-made words, as regular expressions, and how often each one may stand in all
 * texts. A number only falls; the glossary names the word to use instead.
 * @type {Readonly<Record<string, number>>}
 */
export const MOST_USES = {
  'chairs?': 5,
  'seats?': 0,
  'crowd(?:s|ed|ing)?': 3,
  whoever: 20,
  whatever: 20,
  'the house': 0,
  anew: 14,
  'doors?': 2,
  rooms: 0,
  'patients?': 0,
  'stages?': 0,
  'obstacles?': 1,
  'judge[sd]?|judging': 22,
  'gather(?:s|ed|ing)?': 4,
  'all the same': 6,
  '(?:is|are|was|were|be|been) told': 28,
  'mend(?:s|ed|ing)?': 0,
  somebody: 5,
};

/**
 * @param {string} sentence
 * @returns {boolean} whether its first word hides the subject; a question may ask what it asks
 */
export function opensBadly(sentence) {
  return OPENING.test(sentence) && !/\?["'”’)*_\]]*$/.test(sentence);
}

/**
 * @param {string} title of a test, which begins with a small letter
 * @returns {boolean}
 */
export function titleOpensBadly(title) {
  return opensBadly(title.charAt(0).toUpperCase() + title.slice(1));
}

/**
 * @param {string} text
 * @returns {readonly string[]} the keys of MOST_USES, one for each use
 */
export function listedWordsOf(text) {
  // A name of the code is not prose: it changes with the code.
  const prose = text.replace(/`[^`]*`/g, ' ');
  return Object.keys(MOST_USES).flatMap((word) =>
    [...prose.matchAll(new RegExp(String.raw`(?<![\w-])(?:${word})(?![\w-])`, 'gi'))].map(
      () => word,
    ),
  );
}
