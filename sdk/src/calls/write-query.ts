type Value = string | number | Date | undefined;

/**
 * Writes parameters as `?name=value&…`; a list as one parameter for each. Undefined is left out.
 * @returns '' when nothing is left
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
