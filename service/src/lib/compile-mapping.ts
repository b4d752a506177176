/** The origin of a member: a dotted path in the source, a function, or an object of origins. */
export type Origin<Source, Context> =
  | string
  | ((source: Source, context: Context) => unknown)
  | Origins<Source, Context>;

export interface Origins<Source, Context> {
  readonly [member: string]: Origin<Source, Context>;
}

/**
 * Compiles a table of origins into one function that returns an object literal. V8 then gives every
 * object one shape: a loop over the table takes ten times as long (2.2 µs for 15 members, not 0.2).
 * Call `compileMapping` at module load, and only with names that this repository writes.
 *
 * @param absent replaces null and undefined at the end of a path; left out: they stay.
 */
export function compileMapping<Source, Target, Context = unknown>(
  origins: Origins<Source, Context>,
  absent?: 'null' | 'undefined',
): (source: Source, context: Context) => Target {
  const reads: ((source: Source, context: Context) => unknown)[] = [];
  const otherwise = absent ? ` ?? ${absent}` : '';
  const expression = (origin: Origin<Source, Context>): string => {
    if (typeof origin === 'string')
      return `source${origin.split('.').map(access).join('')}${otherwise}`;
    if (typeof origin === 'function') return `read${reads.push(origin) - 1}(source, context)`;
    const members = Object.entries(origin);
    return `{ ${members.map(([name, each]) => `${JSON.stringify(name)}: ${expression(each)}`)} }`;
  };
  const code = `return (source, context) => (${expression(origins)});`;
  return new Function(...reads.map((_, index) => `read${index}`), code)(...reads);
}

function access(name: string): string {
  return `[${JSON.stringify(name)}]`;
}
