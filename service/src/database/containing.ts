/** The pattern of LIKE for a text that contains this one: no sign of it is a wildcard. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
