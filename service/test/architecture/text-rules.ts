import { LANGUAGES } from '#http/negotiation/choose-language.ts';
import { type Tree, withoutComments } from './tree.ts';

const CODES = LANGUAGES.join('|');
const NAME = `['"\`](${CODES})(-[A-Z]{2})?['"\`]`;
const OWN_WAYS = [
  `[!=]==? ?${NAME}|${NAME} ?[!=]==?|case ${NAME}`,
  `(startsWith|endsWith|includes)\\(['"\`](${CODES})\\b`,
  `\\b(${CODES}): \\W|Record<Language, [^(]*[sS]tring`,
  // The locale of a language stands in LOCALES alone.
  '\\}-[A-Z]{2}`|\\+ ?[\'"`]-[A-Z]{2}[\'"`]|Intl\\.\\w+\\(\\s*([\\w.]+\\.)?language\\b',
];
const TEXT_IN_CODE = new RegExp(OWN_WAYS.join('|'));

/** Files with texts in several languages, or with an own way for one of the languages. */
export function textsInCode(tree: Tree): string[] {
  return pages(tree)
    .filter(([, text]) => TEXT_IN_CODE.test(withoutComments(text)))
    .map(([path]) => path);
}

/** Developers' pages are in English only, as the OpenAPI document that they show; so are commands. */
const ENGLISH_ONLY =
  /^service\/src\/(api-reference\/|commands\/|http\/pages\/(developer-page|problem-pages)\.ts$)/;
const WORDS = /\p{L}[\p{L}’']+[ \n]+\p{L}[\p{L}’']+/u;
/** Finds texts that a person reads or hears: those between tags, and some attributes. */
const READ =
  /\b(?:aria-label|aria-description|placeholder|alt|title)="([^"]*)"|(?:^|>)([^<>]*)(?=<|$)/g;
const TAG = /<\/?[a-z][\w-]*[\s>]/;

/** Texts of two or more words in the markup of pages: they stand in the files of the languages. */
export function proseInMarkup(tree: Tree): string[] {
  return pages(tree)
    .filter(([path]) => !ENGLISH_ONLY.test(path))
    .flatMap(([path, text]) =>
      literalsOf(withoutComments(text))
        .filter((literal) => TAG.test(literal))
        .flatMap((literal) => [...literal.matchAll(READ)])
        .map(([, attribute, node]) => (attribute ?? node ?? '').trim())
        .filter((read) => read.split('\0').some((part) => WORDS.test(part)))
        .map((read) => `${path}: ${read}`),
    );
}

/** The string literals of code, those within expressions too; an expression becomes `\0`. */
function literalsOf(code: string): string[] {
  const found: string[] = [];
  /** Reads from behind an opening mark to behind its closing one. */
  const read = (start: number, end: string): number => {
    let literal = '';
    let at = start;
    for (; at < code.length && code[at] !== end; at += 1) {
      if (end === '}') at = skip(at);
      else if (code[at] === '\\') literal += code[++at];
      else if (end === '`' && code.startsWith('${', at)) {
        at = read(at + 2, '}') - 1;
        literal += '\0';
      } else if (end !== '`' && code[at] === '\n') break;
      else literal += code[at];
    }
    if (end !== '}') found.push(literal);
    return at + 1;
  };
  /** The last place of a literal or block that begins here. */
  const skip = (at: number): number => {
    const mark = code.charAt(at);
    if (mark === '{') return read(at + 1, '}') - 1;
    return /['"`]/.test(mark) ? read(at + 1, mark) - 1 : at;
  };
  for (let at = 0; at < code.length; at += 1) at = skip(at);
  return found;
}

/** Styles in an attribute: the sheets are in service/browser/styles and demo-shop/browser. */
export function stylesInAttributes(tree: Tree): string[] {
  const attribute = /\bstyle=\\?["'$]|\bsetAttribute\(['"`]style\b|\.style\.\w+ ?=/;
  return [...tree]
    .filter(([path]) => /^(service\/(src|browser)|demo-shop\/(src|browser))\//.test(path))
    .filter(([, text]) => attribute.test(withoutComments(text)))
    .map(([path]) => path);
}

function pages(tree: Tree): [string, string][] {
  return [...tree].filter(([path]) => /^(service|demo-shop)\/src\//.test(path));
}
