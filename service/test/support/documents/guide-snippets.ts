import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const GUIDES_FOLDER = fileURLToPath(new URL('../../../../docs/guides/', import.meta.url));

/** A code block of a guide. Its fence says ```` ```js name=receive.js ````. */
export interface Snippet {
  /** The guide's file name. */
  readonly guide: string;
  readonly line: number;
  readonly language: string;
  /** Undefined for a block that no test could find. */
  readonly name: string | undefined;
  readonly code: string;
}

/** The names and texts of all guides. */
export function readGuides(): readonly { readonly guide: string; readonly text: string }[] {
  const guides = readdirSync(GUIDES_FOLDER).filter((file) => file.endsWith('.md'));
  return guides.map((guide) => ({ guide, text: readGuide(guide) }));
}

/** The text of a guide by its file name. */
export function readGuide(guide: string): string {
  return readFileSync(join(GUIDES_FOLDER, guide), 'utf8');
}

/** Every code block of every guide. */
export function readSnippets(): readonly Snippet[] {
  return readGuides().flatMap(({ guide, text }) =>
    [...text.matchAll(/^```(\w*)(?: name=(\S+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
      guide,
      line: text.slice(0, match.index).split('\n').length,
      language: match[1] ?? '',
      name: match[2],
      code: match[3] ?? '',
    })),
  );
}

/** The text of a guide's code block. */
export function snippetNamed(name: string): string {
  const found = readSnippets().filter((snippet) => snippet.name === name);
  if (found.length !== 1) throw new Error(`The guides have ${found.length} snippets named ${name}`);
  return found[0]?.code ?? '';
}

/** Writes snippets under their names, as a reader of the guide would. */
export function writeSnippets(folder: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), snippetNamed(name));
  }
}

/** The rows of the table under a heading, each as its cells without backticks. */
export function tableUnder(guide: string, heading: string): readonly (readonly string[])[] {
  const [, section = ''] = readGuide(guide).split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [own = ''] = section.split(/^#+ /m);
  const rows = own.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
