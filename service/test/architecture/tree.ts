import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CODE_FOLDERS = [
  'service/src',
  'service/test',
  'sdk',
  'demo-shop',
  'bench',
  'proofs',
  'scripts',
];
const CODE_FILE = /\.(ts|mts|mjs|js)$/;

/** Path from the project's folder (`service/src/app.ts`) to the file's text. */
export type Tree = ReadonlyMap<string, string>;

export interface Import {
  readonly from: string;
  /** A path of the tree, or a package's name. */
  readonly to: string;
  readonly isTypeOnly: boolean;
  /** `import()`: the file is loaded when the code runs. */
  readonly isDynamic: boolean;
  /** The file exports what it imports. */
  readonly isReexport: boolean;
}

/** Every code file of the project, as it lies on the disk. */
export function readTree(): Tree {
  const paths = CODE_FOLDERS.flatMap(listCodeFiles);
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

function listCodeFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      return ['node_modules', 'dist'].includes(entry.name) ? [] : listCodeFiles(path);
    }
    return CODE_FILE.test(entry.name) ? [path] : [];
  });
}

const IMPORT =
  /^(?:import|export)(\s+type)?\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*['"`]([^'"`]+)['"`]/gm;

/** The imports of each text that was read; a planted tree differs in a few files. */
const known = new Map<string, readonly Import[]>();

/** The imports of all files; `#x` is `service/src/x`. */
export function importsOf(tree: Tree): Import[] {
  return [...tree].flatMap(([from, text]) => {
    const key = `${from}\n${text}`;
    const found = known.get(key) ?? importsOfFile(from, withoutComments(text));
    known.set(key, found);
    return found;
  });
}

function importsOfFile(from: string, text: string): Import[] {
  // Constants that a store shares have upper-case names.
  const exported = [
    ...text.matchAll(
      /^export (?:(?:const [a-z]\w*(?::[^=]*)? = )?\{([^}]*)\}|(?:const [a-z]\w*(?::[^=]*)? =|default) (\w+)[\w.]*)(?: as const)?;/gm,
    ),
  ]
    .flatMap(([, names, alias]) => names?.split(',') ?? [alias])
    .map((name = '') => /^\s*(?:\.{3}|\w+:)?\s*(\w*)/.exec(name)?.[1]);
  return [...text.matchAll(IMPORT)].map((match) => {
    const [statement] = match;
    const specifier = match[2] ?? match[3] ?? match[4] ?? '';
    const isTypeOnly = match[1] !== undefined || hasOnlyTypes(statement);
    const isReexport =
      statement.startsWith('export') ||
      [...statement.matchAll(/(type )?\b(\w+)/g)].some(
        ([, type, name]) => type === undefined && exported.includes(name),
      );
    const isDynamic = match[4] !== undefined;
    return { from, to: resolveImport(from, specifier), isTypeOnly, isDynamic, isReexport };
  });
}

/**
 * The imports, with those of a file that the imported file exports again: `cases/v9.ts` that
 * exports a store is that store to its importers.
 */
export function importsThroughReexports(tree: Tree): Import[] {
  const all = importsOf(tree);
  const exported = Map.groupBy(
    all.filter(({ isReexport, isTypeOnly }) => isReexport && !isTypeOnly),
    ({ from }) => from,
  );
  const reached = (each: Import, seen: readonly string[] = []): Import[] => [
    each,
    ...(seen.includes(each.to) ? [] : (exported.get(each.to) ?? [])).flatMap(({ to }) =>
      reached({ ...each, to }, [...seen, each.to]),
    ),
  ];
  return all.flatMap((each) => reached(each));
}

/** `import { type A, type B } from …` loads the file, but takes only types from it. */
function hasOnlyTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/.exec(statement)?.[1]?.split(',') ?? [];
  const written = names.map((name) => name.trim()).filter((name) => name !== '');
  return written.length > 0 && written.every((name) => name.startsWith('type '));
}

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('#')) return `service/src/${specifier.slice(1)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier;
}

/** The folder of a file: `service/src/http/json` for `service/src/http/json/body.ts`. */
export function folderOf(path: string): string {
  return dirname(path);
}

const stripped = new Map<string, string>();

/** Code without comments, so that rules about code do not read prose. */
export function withoutComments(text: string): string {
  const code =
    stripped.get(text) ?? text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  stripped.set(text, code);
  return code;
}
