/** A path with those parameters that have a value. */
export function addressOf(
  path: string,
  parameters: Readonly<Record<string, string | null>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
