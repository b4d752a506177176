import type { Invocation } from './invocation.ts';

/**
 * Characters that JSON leaves as they are and that steer a terminal: U+009B begins the commands of
 * most, and others turn the direction of text. A merchant's metadata may hold each of them.
 */
const STEERING = /[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Prints what a command found or made: one JSON document with `--json`, else lines for people. This
 * is the only thing on standard output; faults go to standard error.
 */
export function printResult(
  { stdout }: Pick<Invocation, 'stdout'>,
  { json }: { readonly json?: boolean },
  value: unknown,
  lines: readonly string[],
): void {
  const text = json ? JSON.stringify(value, null, 2).replace(STEERING, escaped) : lines.join('\n');
  stdout.write(`${text}\n`);
}

/** The JSON notation; a reader gets the character. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
