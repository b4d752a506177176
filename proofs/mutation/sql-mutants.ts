import type { Mutant } from './mutant.ts';

/** The variable that switches a mutant of an SQL text on. */
export const SQL_MUTANT = 'PROOF_SQL_MUTANT';

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
  const found = literalsOf(text)
    .flatMap(({ start, end }) => mutantsIn(text, start, end))
    // The widest of a place comes first: the others are placed inside it.
    .sort((one, other) => one.at - other.at || other.end - one.end);
  const placed = found.map((each, index) => ({ ...each, id: `sql-${file}-${index}` }));
  const mutants = placed.map(({ id, at, mutator, original, replacement }): Mutant => {
    const line = text.slice(0, at).split('\n').length;
    return { id, file, line, mutator, original, replacement };
  });
  return { mutants, text: placeIn(text, 0, text.length, placed) };
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
