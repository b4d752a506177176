import { upperFirst } from '#lib/words/upper-first.ts';

/** Letters that are no Latin letter with a mark, as the EPC's guidance (EPC217-08) writes them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ħ: 'h', ı: 'i' },
  ...{ '&': '+', _: '-', '–': '-', '—': '-', '’': "'", '‘': "'", '´': "'", '`': "'", '€': 'E' },
  ...{ '[': '(', ']': ')', '{': '(', '}': ')', '\\': '/', '|': '/', ';': ',', '"': "'" },
};

/** The alphabets of the other members of SEPA: Greek and Bulgarian. */
const GREEK = 'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo';
const CYRILLIC =
  'аa бb вv гg дd еe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хh ' +
  'цts чch шsh щsht ъa ьy юyu яya';
const ALPHABETS = new Map(
  `${GREEK} ${CYRILLIC}`.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

const MARK = /\p{Mark}/gu;
const ALLOWED = /[A-Za-z0-9/\-?:().,'+ ]/;

/**
 * The text in the characters that every bank of SEPA takes (EPC217-08): marks fall off, letters of
 * other alphabets become Latin, and a dot stands for any other character. No slash opens or ends
 * it, and no two stand together, since banks use them as separators.
 *
 * @param longest the most characters that the field takes
 */
export function sepaText(text: string, longest: number): string {
  // The whole letter counts before its marks fall off: Cyrillic й is no и with a mark.
  const letters = [...text.normalize('NFC')].map(latinOf).join('');
  const spaced = letters.replaceAll(/\s+/g, ' ').replaceAll(/\/{2,}/g, '/');
  return spaced.slice(0, longest).replaceAll(/^[/ ]+|[/ ]+$/g, '');
}

function latinOf(character: string): string {
  if (/\s/.test(character)) return ' ';
  if (ALLOWED.test(character)) return character;
  const known = knownLetter(character);
  if (known !== undefined) return known;
  const plain = character.normalize('NFKD').replaceAll(MARK, '');
  // A ligature or a full-width letter is several plain characters.
  const letters = [...plain].map((each) => (ALLOWED.test(each) ? each : (knownLetter(each) ?? '')));
  return letters.join('') || (plain === '' ? '' : '.');
}

function knownLetter(character: string): string | undefined {
  const small = character.toLowerCase();
  const latin = LETTERS[small] ?? ALPHABETS.get(small);
  if (latin === undefined || small === character) return latin;
  return upperFirst(latin);
}
