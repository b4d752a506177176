import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SDK = join(ROOT, 'sdk');
const DIST = join(SDK, 'dist');
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc');
/** The compiler takes a second; a busy machine takes ten times as long. */
const COMPILE_MS = 60_000;

/** Both builds of the package (decision 0155): CommonJS in `dist`, ES modules in `dist/esm`. */
const RESOLUTION = ['--moduleResolution', 'bundler'];
const COMMON_JS = [...RESOLUTION, '--module', 'commonjs', '--verbatimModuleSyntax', 'false'];
const ES_MODULES = [...RESOLUTION, '--module', 'es2022'];
/** The service offers `cli/tools.js`, too; the program has no declarations and one build. */
const ENTRIES = [
  ...['index.js', 'index.d.ts', 'esm/index.js', 'checkout.js', 'checkout.mjs', 'checkout.d.ts'],
  ...['testing/index.js', 'testing/index.d.ts', 'esm/testing/index.js'],
  ...['cli/main.js', 'cli/tools.js'],
];
const SPECIFIER = /['"](\.{1,2}\/[^'"]+)\.js['"]/g;

/**
 * Compiles the SDK into the files of `sdk/dist`, which its package and `/sdk.tgz` hold. They are
 * kept in version control, because a production install has no compiler.
 *
 * @returns each file's path in `dist` with its text
 */
export function buildSdkFiles(): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-dist-'));
  try {
    const code = ['--removeComments', '--declaration', 'false', '--outDir'];
    compile(SDK, [...COMMON_JS, ...code, folder]);
    compile(SDK, [...ES_MODULES, ...code, join(folder, 'esm')]);
    compile(join(SDK, 'src', 'cli'), [...COMMON_JS, ...code, folder]);
    compile(SDK, [...COMMON_JS, '--emitDeclarationOnly', '--stripInternal', '--outDir', folder]);
    copyFileSync(join(SDK, 'src', 'checkout.js'), join(folder, 'checkout.mjs'));
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const paths = found.filter((path) => /\.m?[jt]s$/.test(path)).sort();
    const texts = paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
    const built = new Map(texts.map(([path, text]) => [path, withJsSpecifiers(text)]));
    return withEntries(onlyReached(built));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the files of `sdk/dist`. */
export function readSdkFiles(): ReadonlyMap<string, string> {
  const entries = readdirSync(DIST, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [file.slice(DIST.length + 1), readFileSync(file, 'utf8')]));
}

/** Replaces the files of `sdk/dist`. */
export function writeSdkFiles(built: ReadonlyMap<string, string>): void {
  rmSync(DIST, { recursive: true, force: true });
  for (const [path, text] of built) {
    mkdirSync(join(DIST, dirname(path)), { recursive: true });
    writeFileSync(join(DIST, path), text);
  }
}

function compile(project: string, flags: readonly string[]): void {
  execFileSync(TSC, ['-p', project, ...flags], { cwd: ROOT, timeout: COMPILE_MS, stdio: 'pipe' });
}

/** TypeScript below 5.7 reads only `.js` in the specifiers of a declaration file. */
function withJsSpecifiers(text: string): string {
  return text.replace(/((?:from|import\() ?['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2');
}

/** Leaves out files that no entry leads to, such as modules that hold only types. */
function onlyReached(built: ReadonlyMap<string, string>): Map<string, string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const ending = path.endsWith('.d.ts') ? '.d.ts' : '.js';
    for (const [, specifier = ''] of (built.get(path) ?? '').matchAll(SPECIFIER)) {
      visit(posix.join(posix.dirname(path), specifier) + ending);
    }
  };
  for (const entry of ENTRIES) visit(entry);
  return new Map([...built].filter(([path]) => reached.has(path)));
}

/**
 * The declarations of both builds are one, and each folder says of which kind its modules are. Its
 * `sideEffects` counts: bundlers ask the nearest package.json.
 */
function withEntries(built: Map<string, string>): ReadonlyMap<string, string> {
  built.set('index.d.mts', "export * from './index.js';\n");
  built.set('testing/index.d.mts', "export * from './index.js';\n");
  built.set('checkout.d.mts', built.get('checkout.d.ts') ?? '');
  built.set('package.json', '{ "type": "commonjs", "sideEffects": false }\n');
  built.set('esm/package.json', '{ "type": "module", "sideEffects": false }\n');
  return built;
}
