/** How a language writes the values of JSON. */
export interface LiteralStyle {
  readonly text: (text: string) => string;
  readonly key: (name: string) => string;
  readonly object: readonly [string, string];
  readonly array: readonly [string, string];
  readonly emptyObject: string;
  readonly none: string;
  readonly words: (word: boolean) => string;
  readonly indent: string;
}

/** Writes a value of JSON over several lines, as a person would. */
export function writeLiteral(value: unknown, style: LiteralStyle, depth = 0): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value === 'boolean') return style.words(value);
  if (typeof value !== 'object') return String(value);
  if (value === null) return style.none;
  const parts = Array.isArray(value)
    ? value.map((each) => writeLiteral(each, style, depth + 1))
    : Object.entries(value).map(
        ([name, each]) => style.key(name) + writeLiteral(each, style, depth + 1),
      );
  const [open, close] = Array.isArray(value) ? style.array : style.object;
  if (parts.length === 0) return Array.isArray(value) ? open + close : style.emptyObject;
  const margin = style.indent.repeat(depth);
  const lines = parts.map((part) => `${margin}${style.indent}${part},\n`);
  return `${open}\n${lines.join('')}${margin}${close}`;
}

/** Text in single quotes, with backslashes before what ends it. */
export const singleQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
