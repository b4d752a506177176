/** The first place where a text stops being JSON, and what belongs there. */
export interface JsonFault {
  /** Counts from 1, as editors do. */
  readonly line: number;
  /** Counts from 1, in UTF-16 code units. */
  readonly column: number;
  /** The expected text in words. It holds nothing of the text, which may be a secret. */
  readonly expected: string;
}

const HINTS = {
  BYTE_ORDER_MARK: 'send UTF-8 without a byte order mark',
  END: 'the text ends too soon',
  SINGLE_QUOTE: 'names and texts stand in double quotes',
  TRAILING_COMMA: 'leave out the comma before the closing bracket',
  DECIMAL_COMMA: 'a member name in double quotes is expected; decimals have a point, as in 10.50',
  NAME: 'a member name in double quotes is expected',
  COLON: 'a colon is expected',
  COMMA: 'a comma or the closing bracket is expected',
  VALUE: 'a text in double quotes, a number, true, false, null, an object or a list is expected',
  NUMBER: 'a number is written as 10 or 10.50',
  CONTROL: 'a line break or control character in a text is written as an escape, as in \\n',
  ESCAPE: 'a backslash in a text begins an escape, as in \\n or \\u00e9',
  NOTHING: 'nothing may follow the value',
} as const;
type Hint = keyof typeof HINTS;

/** The tokens that may come next; ITEM and NAME follow a comma. */
type Next = 'VALUE' | 'FIRST_ITEM' | 'ITEM' | 'FIRST_NAME' | 'NAME' | 'COLON' | 'COMMA' | 'NOTHING';

interface Place {
  readonly at: number;
  readonly hint: Hint;
}

/**
 * Finds the first fault of a text that JSON.parse refuses; its messages name no position for most
 * faults, and quote the text. The walk is linear and uses no recursion.
 *
 * @returns null for valid JSON
 */
export function locateJsonFault(text: string): JsonFault | null {
  const place = findFault(text);
  if (!place) return null;
  const lines = text.slice(0, place.at).split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return { line: lines.length, column, expected: HINTS[place.hint] };
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const TEXT = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4})*/uy;

function findFault(text: string): Place | null {
  if (text.startsWith('\ufeff')) return { at: 0, hint: 'BYTE_ORDER_MARK' };
  const open: ('{' | '[')[] = [];
  let next = 'VALUE' as Next;
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const character = text[at] as string;
    const after = afterToken(character, next, open);
    if (after === null) return { at, hint: hintOf(character, next) };
    if (after !== 'SCALAR') {
      next = after;
      at += 1;
      continue;
    }
    const end = character === '"' ? endOf(TEXT, text, at) : endOf(SCALAR, text, at);
    if (character === '"' && text[end] !== '"') return { at: end, hint: faultOfText(text, end) };
    if (end === at) return { at, hint: /[-\d]/.test(character) ? 'NUMBER' : 'VALUE' };
    at = character === '"' ? end + 1 : end;
    next = next === 'NAME' || next === 'FIRST_NAME' ? 'COLON' : afterValue(open);
  }
  return next === 'NOTHING' ? null : { at: text.length, hint: 'END' };
}

/** The expression runs only where a space is: it would cost most of a text without spaces. */
function skipSpace(text: string, at: number): number {
  return text.charCodeAt(at) <= 0x20 ? endOf(SPACE, text, at) : at;
}

/** The index behind a match at `at`; `at` itself without a match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The state behind a bracket, comma or colon; SCALAR: another value or a name begins here. */
function afterToken(character: string, next: Next, open: ('{' | '[')[]): Next | 'SCALAR' | null {
  const isValue = next === 'VALUE' || next === 'ITEM' || next === 'FIRST_ITEM';
  const isName = next === 'NAME' || next === 'FIRST_NAME';
  if (isValue && (character === '{' || character === '[')) {
    open.push(character);
    return character === '{' ? 'FIRST_NAME' : 'FIRST_ITEM';
  }
  const closed = character === '}' ? '{' : '[';
  if ((character === '}' || character === ']') && open.at(-1) === closed) {
    if (next !== 'COMMA' && next !== 'FIRST_ITEM' && next !== 'FIRST_NAME') return null;
    open.pop();
    return afterValue(open);
  }
  if (next === 'COMMA') return character === ',' ? nameOrItem(open) : null;
  if (next === 'COLON') return character === ':' ? 'VALUE' : null;
  if (isName) return character === '"' ? 'SCALAR' : null;
  return isValue && /["\-\w]/.test(character) ? 'SCALAR' : null;
}

function afterValue(open: readonly ('{' | '[')[]): Next {
  return open.length === 0 ? 'NOTHING' : 'COMMA';
}

function nameOrItem(open: readonly ('{' | '[')[]): Next {
  return open.at(-1) === '{' ? 'NAME' : 'ITEM';
}

function hintOf(character: string, next: Next): Hint {
  if (next === 'COLON' || next === 'COMMA' || next === 'NOTHING') return next;
  if (character === "'") return 'SINGLE_QUOTE';
  const isClosing = character === '}' || character === ']';
  if (isClosing && (next === 'NAME' || next === 'ITEM')) return 'TRAILING_COMMA';
  if (next === 'NAME' && /\d/.test(character)) return 'DECIMAL_COMMA';
  if (next === 'NAME' || next === 'FIRST_NAME') return 'NAME';
  return character === '.' || character === '+' ? 'NUMBER' : 'VALUE';
}

/** The reason for which a text does not go on at `at`. */
function faultOfText(text: string, at: number): Hint {
  if (at >= text.length) return 'END';
  return text[at] === '\\' ? 'ESCAPE' : 'CONTROL';
}
