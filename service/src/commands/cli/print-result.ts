import type { Invocation } from './invocation.ts';

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
  const text = json ? JSON.stringify(value, null, 2) : lines.join('\n');
  stdout.write(`${text}\n`);
}
