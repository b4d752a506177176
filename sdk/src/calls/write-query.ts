type Value = string | number | Date | undefined;

/**
 * Writes parameters as `?name=value&…` and a list as repeated parameters. Undefined values are
 * omitted.
 * @returns '' without any value
 */
export function writeQuery(parameters: Readonly<Record<string, Value | readonly Value[]>>): string {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) {
      if (value === undefined) continue;
      query.append(name, value instanceof Date ? value.toISOString() : String(value));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
