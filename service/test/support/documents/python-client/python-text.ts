/** The project's line length; Python's docstrings keep it, too. */
const COLUMNS = 100;
const INDENT = '    ';

export const HEAD = `# Made from the OpenAPI document by \`npm run docs\`; do not edit.`;

/** `STATUS_CHANGED`, `linkMessage` and `created-at` become names of classes. */
export function pascalCase(name: string): string {
  const words = /^[A-Z_-]+$/.test(name) ? name.toLowerCase() : name;
  return words.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A value of JSON as Python writes it on one line. */
export function literal(value: unknown): string {
  const text = JSON.stringify(value);
  return text.replace(/"(?:\\.|[^"\\])*"|true|false|null/g, (word) => WORDS[word] ?? word);
}

/** Indents every line that has text. */
export function indent(text: string, depth = 1): string {
  return text.replace(/^(?=.)/gm, INDENT.repeat(depth));
}

/** A docstring whose lines fit into the columns at its depth. */
export function docstring(paragraphs: readonly string[], depth: number): string {
  const width = COLUMNS - INDENT.length * depth;
  const [first = '', ...others] = paragraphs.filter((each) => each !== '');
  const one = `"""${escaped(first)}"""`;
  if (others.length === 0 && one.length <= width) return one;
  const wrapped = [first, ...others].map((each) => wrap(escaped(each), width));
  const [lead = '', ...rest] = wrapped;
  const head = `"""${lead}`.split('\n').some(({ length }) => length > width)
    ? `"""\n${lead}`
    : `"""${lead}`;
  return `${[head, ...rest].join('\n\n')}\n"""`;
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");

function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && `${current} ${word}`.length > width) {
      lines.push(current);
      // A list's entry continues under its text.
      current = line.startsWith('- ') ? `  ${word}` : word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}

/** Brackets on one line, or with a line for each part where they are too long. */
export function bracketed(head: string, parts: readonly string[], tail: string, depth = 0): string {
  const line = `${head}${parts.join(', ')}${tail}`;
  if (line.length + INDENT.length * depth <= COLUMNS) return line;
  return `${head}\n${parts.map((part) => `${indent(part)},`).join('\n')}\n${tail}`;
}
