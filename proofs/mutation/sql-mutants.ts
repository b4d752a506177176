import type { Mutant } from './mutant.ts';

/** The variable that switches a mutant of an SQL text on. */
export const SQL_MUTANT = 'PROOF_SQL_MUTANT';

/** The comment in a statement by which a run of its mutants is known: `sql:file:statement`. */
export const STATEMENT_MARK = /sql:[\w./-]+:\d+/g;

/** The mark of the statement of an SQL mutant; undefined: a mutant of code. */
export function markOf(id: string): string | undefined {
  return id.match(STATEMENT_MARK)?.[0];
}

interface Rule {
  readonly mutator: string;
  readonly pattern: RegExp;
  readonly replace: (found: string) => string;
}

const KEEP_LEASE = () => 'lease_token = lease_token';

/**
 * Conditions are dropped and comparisons turned. A condition is dropped where its line begins with
 * AND, so that brackets stay balanced.
 */
const RULES: readonly Rule[] = [
  {
    mutator: 'drop condition',
    pattern: /^(\s*)AND (?!.*\bTHEN\b)[^\n]*$/gm,
    replace: (found) => (isBalanced(found) ? '' : found),
  },
  { mutator: 'turn comparison', pattern: / <= /g, replace: () => ' > ' },
  { mutator: 'turn comparison', pattern: / >= /g, replace: () => ' < ' },
  { mutator: 'turn comparison', pattern: / < (?!')/g, replace: () => ' <= ' },
  { mutator: 'turn comparison', pattern: / > (?!')/g, replace: () => ' >= ' },
  { mutator: 'turn test', pattern: /\bIS NOT NULL\b/g, replace: () => 'IS NULL' },
  { mutator: 'turn test', pattern: /\bNOT EXISTS\b/g, replace: () => 'EXISTS' },
  { mutator: 'turn test', pattern: /\bIS NULL\b/g, replace: () => 'IS NOT NULL' },
  { mutator: 'drop lease', pattern: /lease_token = NULL/g, replace: KEEP_LEASE },
];

function isBalanced(text: string): boolean {
  return text.split('(').length === text.split(')').length;
}

interface Found {
  readonly at: number;
  readonly end: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

/**
 * Makes the mutants of the SQL in a file, and the file that holds all mutants. The environment
 * switches each mutant on. Statements stand in template literals, so that only those are read.
 */
export function placeSqlMutants(
  file: string,
  text: string,
): { readonly mutants: Mutant[]; readonly text: string } {
  const mutants: Mutant[] = [];
  let written = '';
  let at = 0;
  for (const [number, { start, end }] of literalsOf(text).entries()) {
    const mark = `sql:${file}:${number}`;
    const found = mutantsIn(text, start, end)
      // The widest of a place comes first: the others are placed inside it.
      .sort((one, other) => one.at - other.at || other.end - one.end);
    if (found.length === 0) continue;
    const placed = found.map((each, index) => ({ ...each, id: `${mark}:${index}` }));
    mutants.push(...placed.map((each) => mutantOf(file, text, each)));
    const opened = start + 1;
    written += `${text.slice(at, opened)}/*${mark}*/${placeIn(text, opened, end, placed)}`;
    at = end;
  }
  return { mutants, text: written + text.slice(at) };
}

function mutantOf(file: string, text: string, each: Placed): Mutant {
  const { id, at, mutator, original, replacement } = each;
  // A dropped condition takes its indentation along: its line is that of its first word.
  const first = at + (original.length - original.trimStart().length);
  const line = text.slice(0, first).split('\n').length;
  const place = text.split('\n')[line - 1]?.trim() ?? '';
  return { id, file, line, place, mutator, original, replacement };
}

type Placed = Found & { readonly id: string };

/** Writes a piece of the text with the switches of its mutants, those inside others included. */
function placeIn(text: string, from: number, to: number, placed: readonly Placed[]): string {
  let written = '';
  let at = from;
  let left = placed.filter((each) => each.at >= from && each.end <= to);
  while (left.length > 0) {
    const [outer, ...others] = left;
    if (!outer) break;
    const inside = others.filter(({ end }) => end <= outer.end);
    const original = placeIn(text, outer.at, outer.end, inside);
    const isOn = `process.env.${SQL_MUTANT} === ${JSON.stringify(outer.id)}`;
    written += text.slice(at, outer.at);
    written += `\${${isOn} ? \`${outer.replacement}\` : \`${original}\`}`;
    at = outer.end;
    left = others.filter((each) => each.at >= outer.end);
  }
  return written + text.slice(at, to);
}

/** The template literals of a file that hold SQL, without nested ones. */
function literalsOf(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/`[^`]*`/g)]
    .filter(([literal]) => /\b(SELECT|UPDATE|INSERT|DELETE)\b/.test(literal))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

function mutantsIn(text: string, start: number, end: number): Found[] {
  const literal = text.slice(start, end);
  return RULES.flatMap(({ mutator, pattern, replace }) =>
    [...literal.matchAll(pattern)].flatMap((match) => {
      const [original] = match;
      const replacement = replace(original);
      // A placeholder of the template cannot stand inside another one here.
      if (replacement === original || original.includes('${') || original.includes('--')) return [];
      const at = start + match.index;
      return { at, end: at + original.length, mutator, original, replacement };
    }),
  );
}
