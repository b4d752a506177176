import { basename } from 'node:path';
import { NAMED_NETWORKS } from '#compose/networks.ts';
import { folderOf, type Tree, withoutComments } from './tree.ts';

/** A reader sees a file of this length on a few screens; the usual file has 100. */
const MAX_FILE_LINES = 300;
/** A function longer than a screen hides its steps. */
const MAX_FUNCTION_LINES = 70;
/** Two files beside each other fit on a laptop's screen. */
const MAX_COLUMNS = 100;
/** `ls` of a folder reads like a table of contents. */
const MAX_FOLDER_FILES = 20;

const VAGUE_NAMES = /\b(utils?|helpers?|common|core|base|manager|handler|misc)\b/;
/** Fastify's own term. */
const KNOWN_NAMES = new Set(['error-handler']);
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const FUNCTION_STARTS = [
  /^\s*(export )?(default )?(async )?function\b/,
  /=> \{$/,
  /^\s+(private |public |static |async |readonly |#)*[\w#]+\(.*\)(: .*)? \{$/,
];
const STATEMENT = /^\s*(if|for|while|switch|catch|return)\b/;

export function longFiles(tree: Tree): string[] {
  return [...tree]
    .filter(([path, text]) => !path.includes('/test/') && countLines(text) > MAX_FILE_LINES)
    .map(([path, text]) => `${path}: ${countLines(text)} lines`);
}

/** Lines that are too wide; test files may have long titles. */
export function wideLines(tree: Tree): string[] {
  return [...tree]
    .filter(([path]) => !path.includes('/test/'))
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, index) => ([...line].length > MAX_COLUMNS ? [`${path}:${index + 1}`] : [])),
    );
}

/**
 * Functions with more lines than allowed. A function ends at the first line that closes its
 * indentation, as the formatter writes it. Test code is not measured.
 */
export function longFunctions(tree: Tree): string[] {
  return [...tree]
    .filter(([path]) => !path.includes('/test/'))
    .flatMap(([path, text]) => {
      const lines = text.split('\n');
      return lines.flatMap((line, start) => {
        const length = startsFunction(line) ? functionLength(lines, start) : 0;
        return length > MAX_FUNCTION_LINES ? [`${path}:${start + 1}: ${length} lines`] : [];
      });
    });
}

function startsFunction(line: string): boolean {
  if (/^\s*(\*|\/\/)/.test(line) || STATEMENT.test(line)) return false;
  return FUNCTION_STARTS.some((pattern) => pattern.test(line));
}

function functionLength(lines: readonly string[], start: number): number {
  const indentation = /^ */.exec(lines[start] ?? '')?.[0] ?? '';
  const end = lines.findIndex((line, index) => index > start && line.startsWith(`${indentation}}`));
  return end < 0 ? 0 : end - start + 1;
}

export function fullFolders(tree: Tree): string[] {
  const counts = new Map<string, number>();
  for (const path of tree.keys()) {
    counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FOLDER_FILES)
    .map(([folder, count]) => `${folder}: ${count} files`);
}

export function vagueNames(tree: Tree): string[] {
  return [...tree.keys()].filter((path) => {
    const name = basename(path).replace(/(\.test|\.d)?\.(ts|mts|mjs|js)$/, '');
    return !KEBAB_CASE.test(name) || (VAGUE_NAMES.test(name) && !KNOWN_NAMES.has(name));
  });
}

const STATUS_CASE = /^\s*case '(CREATED|PROCESSING|PAID|FAILED|EXPIRED|CANCELLED)':/m;

/**
 * Switches of the service over a status with a `default:`, which would decide about a status that
 * is added later. A switch ends at the first line that closes its indentation.
 */
export function defaultsOverStatus(tree: Tree): string[] {
  return [...tree]
    .filter(([path]) => path.startsWith('service/src/'))
    .flatMap(([path, text]) =>
      [...text.matchAll(/^( *)switch \([\s\S]*?\n\1\}/gm)]
        .filter(([body]) => STATUS_CASE.test(body) && /^\s*default:/m.test(body))
        .map(([body]) => `${path}: ${body.split('\n')[0]?.trim()}`),
    );
}

/** Comments of SQL may stand before a statement. */
const OPENED = String.raw`['"\`]\s*(?:--[^\n]*\n\s*|\\n\s*)*`;
const SQL_STARTS = new RegExp(
  String.raw`${OPENED}(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|LOCK TABLE|NOTIFY|LISTEN)\s`,
);
/** A statement in any letters; a sentence may begin with its verb, too. */
const SQL = new RegExp(
  String.raw`${OPENED}(select\s[^"\`]*\sfrom\s|select\s+[\d*'$]|select\s+\w+\s*\(|insert into\s|update\s+\S+\s+(as\s+)?(\w+\s+)?set\s|delete from\s|truncate\s|merge into\s|lock table\s|with\s+(recursive\s+)?\w+\s+as\s)`,
  'i',
);

/** Files of the service with SQL that are neither a store, the outbox nor in `database/`. */
export function sqlOutsideStores(tree: Tree): string[] {
  return [...new Set([SQL_STARTS, SQL].flatMap((each) => serviceFilesWith(tree, each)))].filter(
    (path) => !path.startsWith('database/') && !/(^|[-/])(store|outbox)\.ts$/.test(path),
  );
}

/**
 * Files that write an answer past Fastify: a second end, or an error that nobody listens for, would
 * end the process. A network's own HTTP client is no answer, and is not measured.
 */
export function writersOfAnswers(tree: Tree): string[] {
  const written = /\.hijack\(|\b(raw|response|answer|socket)\??\.(end|write|writeHead)\(/;
  return serviceFilesWith(tree, written).filter((path) => !CLIENTS.test(path));
}

/** Where the service is the client of another's answers. */
const CLIENTS = /^(webhooks\/https|commands)\//;

export function readersOfProcessEnv(tree: Tree): string[] {
  return serviceFilesWith(
    tree,
    /\bprocess\)*!?\s*\??\.(env\b|\[)|\bprocess\s+as\s|\bReflect\.\w+\(\s*process\b|\bObject\.\w+\(\s*process\b|\bprocess\[|\b(const|let|var)\s[^=;]*=\s*process\s*[;,)]|\b(from|import\()\s*['"](node:)?process['"]|\bglobalThis\??\.?(process\b|\[)|\{\s*process\b[^;]*=\s*globalThis/,
  );
}

export function readersOfTime(tree: Tree): string[] {
  return serviceFilesWith(
    tree,
    /new Date(\(\s*\)|\s*[;,)])|\bDate\)?\??\.now\b|Date\[['"`]|performance\)?\??\.now\b|performance\[['"`]|process\.hrtime|\bTemporal\??\.Now\b|\bTemporal\[['"`]/,
  );
}

const CSS =
  /@media |:root|(?:^|[{;]) *(color|display|margin|padding|font|background|border): [^'`\n]*;/m;

/** Files with declarations of CSS, which stand in service/browser/styles. */
export function stylesInCode(tree: Tree): string[] {
  return serviceFilesWith(tree, CSS);
}

/** An escape in the text of an `html` template; expressions may have them. */
const ESCAPE_IN_HTML = /html`(?:[^`$\\]|\$(?!\{)|\$\{[^`{}]*\})*\\n/;

/** Files whose pages would show `\n`: `html` takes its text as it is written. */
export function escapesInHtml(tree: Tree): string[] {
  return serviceFilesWith(tree, ESCAPE_IN_HTML);
}

function serviceFilesWith(tree: Tree, pattern: RegExp): string[] {
  const src = 'service/src/';
  return [...tree]
    .filter(([path, text]) => path.startsWith(src) && pattern.test(withoutComments(text)))
    .map(([path]) => path.slice(src.length));
}

/** String literals that name a network or begin its name, outside its folder and `compose/`. */
export function namesOfNetworks(tree: Tree): string[] {
  const names = NAMED_NETWORKS.map(([name]) => name);
  const begun = names.map((name) => name.split('-')[0]).join('|');
  const text = `['"\`](${names.join('|')})['"\`]`;
  const part = `(startsWith|endsWith|includes|indexOf|search|match)\\(\\s*['"\`/^]+(${begun})`;
  return serviceFilesWith(tree, new RegExp(`${text}|${part}`)).filter(
    (path) => !/^(compose|e-transfer\/[\w-]+)\//.test(path),
  );
}

function countLines(text: string): number {
  return text.split('\n').length;
}
