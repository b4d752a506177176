import { Problem } from './problem.ts';

/** Our deepest body has three levels; eight leaves room and stops hostile nesting (contract §4). */
const DEEPEST_NESTING = 8;

/** The source text of the numbers of a parsed body: `1.005` and `1.0050` are the same float. */
const numberSources = new WeakMap<object, Map<string, string>>();

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Reviver = (this: object, key: string, value: unknown, context: { source?: string }) => unknown;
/** TypeScript does not know the reviver's third parameter yet. */
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/**
 * Parses a JSON body. @throws Problem MALFORMED_JSON for what is not UTF-8 or not JSON, for
 * duplicate keys, for a `__proto__` key and for nesting deeper than 8 (contract §4).
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = parseWithSource(text, rememberNumber);
  } catch (error) {
    throw new Problem('MALFORMED_JSON', { cause: error });
  }
  checkMembers(text);
  return value;
}

/** The source text of the number at `holder[key]`, for a body that `parseStrictJson` gave. */
export function numberSource(holder: object, key: string): string | undefined {
  return numberSources.get(holder)?.get(key);
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new Problem('MALFORMED_JSON', { detail: 'The body is empty.' });
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new Problem('MALFORMED_JSON', { detail: 'The body is not UTF-8.', cause: error });
  }
}

const rememberNumber: Reviver = function (key, value, context) {
  if (typeof value === 'number' && context.source !== undefined) {
    const sources = numberSources.get(this);
    if (sources) sources.set(key, context.source);
    else numberSources.set(this, new Map([[key, context.source]]));
  }
  return value;
};

/**
 * Walks text that is known to be JSON and refuses what JSON.parse lets pass: a repeated key (the
 * last would win, a proxy may think the first did) and `__proto__`.
 */
function checkMembers(text: string): void {
  /** For each open bracket: the keys met so far, or null in an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === 0x22) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) addKey(keys, text.slice(at, end + 1));
      at = end;
    } else if (character === 0x7b || character === 0x5b) {
      open.push(character === 0x7b ? new Set() : null);
      if (open.length > DEEPEST_NESTING) {
        throw new Problem('MALFORMED_JSON', {
          detail: `The body is nested deeper than ${DEEPEST_NESTING} levels.`,
        });
      }
    } else if (character === 0x7d || character === 0x5d) {
      open.pop();
    }
  }
}

/** The index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}

/** In JSON only a key is followed by a colon. */
function isKey(text: string, endQuote: number): boolean {
  let at = endQuote + 1;
  while (/\s/.test(text.charAt(at))) at++;
  return text.charCodeAt(at) === 0x3a;
}

function addKey(keys: Set<string>, literal: string): void {
  const key = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  if (key === '__proto__') {
    throw new Problem('MALFORMED_JSON', { detail: 'The body has a member named __proto__.' });
  }
  if (keys.has(key)) {
    throw new Problem('MALFORMED_JSON', {
      detail: `The body names the member ${JSON.stringify(key.slice(0, 100))} twice.`,
    });
  }
  keys.add(key);
}
