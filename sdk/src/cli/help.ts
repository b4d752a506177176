import type { Tool, ToolInput } from './tool.ts';

/** A terminal's usual width. */
const WIDTH = 80;
const INDENT = '  ';

/** The help of the program. */
export function describeProgram(program: string, tools: readonly Tool[]): string {
  return [
    `Usage: ${program} [options] [command]\n`,
    `${wrap('Tools for the webhook listener of a merchant.', 0)}\n`,
    'Options:',
    ...rowsOf([
      ['-V, --version', 'output the version number'],
      ['-h, --help', 'display help'],
    ]),
    '\nCommands:',
    ...rowsOf(tools.map(({ name, summary }) => [name, summary])),
    `\nSee ${program} <command> --help\n`,
  ].join('\n');
}

/** The help of a tool. */
export function describeTool(program: string, { name, summary, inputs, more }: Tool): string {
  const named = Object.entries(inputs);
  const places = named.filter(([, { isArgument }]) => isArgument);
  const options = named.filter(([, { isArgument }]) => !isArgument);
  const usage = [program, name, '[options]', ...places.map(([, { placeholder }]) => placeholder)];
  return [
    `Usage: ${usage.join(' ')}\n`,
    `${wrap(summary, 0)}\n`,
    ...(places.length === 0 ? [] : ['Arguments:']),
    ...rowsOf(places.map(([key, input]) => [wordOf(key), meaningOf(input)])),
    `${places.length === 0 ? '' : '\n'}Options:`,
    ...rowsOf([
      ...options.map(([key, input]) => [flagsOf(key, input), meaningOf(input)] as const),
      ['-h, --help', 'display help for command'],
    ]),
    `${more ? `${more(program)}\n` : ''}`,
  ].join('\n');
}

/** The key of a table as a word: `apiUrl` is `api-url`. */
export function wordOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An option as the help shows it, as in `--api-url <url>`. */
export function flagsOf(key: string, { placeholder }: ToolInput<unknown>): string {
  return placeholder === null ? `--${wordOf(key)}` : `--${wordOf(key)} ${placeholder}`;
}

function meaningOf({ summary, choices, usual }: ToolInput<unknown>): string {
  const facts = [
    ...(choices ? [`choices: ${choices.map((each) => `"${each}"`).join(', ')}`] : []),
    ...(usual === undefined ? [] : [`default: ${JSON.stringify(usual)}`]),
  ];
  return facts.length === 0 ? summary : `${summary} (${facts.join(', ')})`;
}

function rowsOf(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(0, ...rows.map(([name]) => name.length)) + 2 * INDENT.length;
  return rows.map(([name, text]) => `${INDENT}${name}`.padEnd(left) + wrap(text, left));
}

/** Breaks a text at blanks; further lines stand below the first one. */
function wrap(text: string, left: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const next = line === '' ? word : `${line} ${word}`;
    if (line === '' || left + next.length <= WIDTH) lines[lines.length - 1] = next;
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(left)}`);
}
