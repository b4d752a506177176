import { Problem } from '#lib/problem.ts';
import { locateJsonFault } from './locate-fault.ts';

/**
 * The service's deepest body has three levels; a limit of eight stops hostile nesting (contract
 * §4).
 */
const DEEPEST_NESTING = 8;

/**
 * Metadata has 20 members, and no list has 50 items. 8,000 members took up to 75 ms, because
 * every rule of a schema is checked for each.
 */
const MOST_COMMAS = 1_000;

export interface StrictJson {
  readonly value: unknown;
  /**
   * The source text of each number that is a direct member of the outermost object, by its key.
   * `1.005` and `1.0050` are the same float, so amounts are read from these texts.
   */
  readonly numberSources: NumberSources;
}

export type NumberSources = ReadonlyMap<string, string>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a JSON body. @throws Problem MALFORMED_JSON for bytes that are not UTF-8 or not JSON, for
 * duplicate keys, for a `__proto__` key, for nesting deeper than 8, and for more than 1,000 commas
 * outside texts (contract §4).
 */
export function parseStrictJson(bytes: Uint8Array): StrictJson {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('MALFORMED_JSON', { detail: faultIn(text), cause: error });
  }
  return { value, numberSources: checkMembers(text) };
}

function faultIn(text: string): string {
  const fault = locateJsonFault(text);
  if (!fault) return 'The body is not valid JSON.';
  const { line, column, expected } = fault;
  return `The body is not valid JSON at line ${line}, column ${column}: ${expected}.`;
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new Problem('MALFORMED_JSON', { detail: 'The body is empty.' });
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new Problem('MALFORMED_JSON', { detail: 'The body is not UTF-8.', cause: error });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** A number at the position of `lastIndex`. */
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Walks valid JSON text once. Refuses two things that JSON.parse accepts: a repeated key (the last
 * one would win, but a proxy may read the first one) and `__proto__`.
 *
 * @returns the source texts of the outermost object's own numbers
 */
function checkMembers(text: string): Map<string, string> {
  const sources = new Map<string, string>();
  /** For each open bracket: the keys so far, or null in an array. */
  const open: (Set<string> | null)[] = [];
  let commas = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const start = at;
      at = endOfString(text, start);
      const keys = open.at(-1);
      if (!keys) continue;
      const colon = skipSpace(text, at + 1);
      // In JSON only a key is followed by a colon.
      if (text.charCodeAt(colon) !== COLON) continue;
      const key = addKey(keys, text.slice(start, at + 1));
      at = colon;
      if (open.length > 1) continue;
      NUMBER.lastIndex = skipSpace(text, colon + 1);
      const number = NUMBER.exec(text)?.[0];
      if (number !== undefined) sources.set(key, number);
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      open.push(character === OPEN_BRACE ? new Set() : null);
      if (open.length > DEEPEST_NESTING) throw tooDeep();
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      open.pop();
    } else if (character === COMMA) {
      commas += 1;
      if (commas > MOST_COMMAS) throw tooMany();
    }
  }
  return sources;
}

/** The index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** The index of the next token; JSON's white space is all below and at U+0020. */
function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function tooMany(): Problem {
  const detail = `The body has more than ${MOST_COMMAS} members and list items.`;
  return new Problem('MALFORMED_JSON', { detail });
}

function tooDeep(): Problem {
  const detail = `The body is nested deeper than ${DEEPEST_NESTING} levels.`;
  return new Problem('MALFORMED_JSON', { detail });
}

/** @returns the key that the literal spells */
function addKey(keys: Set<string>, literal: string): string {
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
  return key;
}
