/** The values that a merchant's program needs, under the names of the quick start. */
export interface EnvValues {
  readonly [name: string]: string | null;
}

/** A file of `NAME=value` lines; values that are null are left out. */
export function envFile(comment: string, values: EnvValues): string {
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  // No line break of a name or comment begins another line.
  return `${[`# ${comment.replace(/\s+/g, ' ')}`, ...lines].join('\n')}\n`;
}

/** The address of a file in a page: nothing is stored, and nothing is fetched again. */
export function envHref(content: string): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(content)}`;
}
