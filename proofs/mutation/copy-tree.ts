import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { linkPackages } from '../../scripts/toolchain/link-packages.mjs';
import type { Area } from './areas.ts';
import type { Mutant } from './mutant.ts';
import { placeSqlMutants } from './sql-mutants.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const INSTRUMENTER = join(ROOT, 'proofs/mutation/instrumenter/node_modules');
/** The folders and files that the nearest tests import or read. */
const COPIED = ['service', 'sdk', 'scripts', 'proofs', 'docs', 'package.json', 'tsconfig.json'];

/** The files of statuses are tables of texts; elsewhere texts are words for people. */
const TABLE = /\/statuses\.ts$/;

interface Placed {
  readonly files: readonly { readonly name: string; readonly content: string }[];
  readonly mutants: readonly {
    readonly id: string;
    readonly fileName: string;
    readonly mutatorName: string;
    readonly replacement: string;
    readonly location: Record<'start' | 'end', { readonly line: number; readonly column: number }>;
  }[];
}

interface Instrumenter {
  instrument(files: readonly object[], options: object): Promise<Placed>;
}

export interface MutatedTree {
  readonly folder: string;
  readonly mutants: readonly Mutant[];
}

/** Copies the project, and places every mutant of an area in the copy, each behind a switch. */
export async function makeMutatedTree(name: string, area: Area): Promise<MutatedTree> {
  const folder = join(ROOT, '.local', 'mutation', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const isWanted = (path: string) => !path.includes('node_modules');
  for (const each of COPIED) {
    cpSync(join(ROOT, each), join(folder, each), { recursive: true, filter: isWanted });
  }
  linkPackages(folder);
  const code = await placeCode(
    folder,
    area.files.filter((file) => !isSql(file)),
  );
  const ids = code.map(({ id }) => id);
  writeFileSync(join(folder, 'mutants.json'), JSON.stringify(ids));
  return { folder, mutants: [...code, ...placeSql(folder, area.files.filter(isSql))] };
}

/** Files of SQL have mutants of their conditions alone. */
function isSql(file: string): boolean {
  return /(store|outbox)\.ts$/.test(file);
}

function placeSql(folder: string, files: readonly string[]): Mutant[] {
  return files.flatMap((file) => {
    const path = join(folder, file);
    const { mutants, text } = placeSqlMutants(file, readFileSync(path, 'utf8'));
    writeFileSync(path, text);
    return mutants;
  });
}

async function placeCode(folder: string, files: readonly string[]): Promise<Mutant[]> {
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  const instrumenter = await createInstrumenter();
  const asked = [...texts].map(([name, content]) => ({ name, content, mutate: true }));
  const options = { excludedMutations: [], plugins: null, ignorers: [], noHeader: false };
  const placed = await instrumenter.instrument(asked, options);
  for (const { name, content } of placed.files) writeFileSync(join(folder, name), content);
  return placed.mutants
    .filter(({ mutatorName, fileName }) => mutatorName !== 'StringLiteral' || TABLE.test(fileName))
    .map(({ id, fileName: file, mutatorName: mutator, replacement, location }) => {
      const text = texts.get(file) ?? '';
      const place = text.split('\n')[location.start.line]?.trim() ?? '';
      const original = textAt(text, location);
      return { id, file, line: location.start.line + 1, place, mutator, original, replacement };
    });
}

/** The library wants a container of dependencies; it asks this one for three calls. */
async function createInstrumenter(): Promise<Instrumenter> {
  const entry = join(INSTRUMENTER, '@stryker-mutator/instrumenter/dist/src/index.js');
  const library = await import(pathToFileURL(entry).href);
  const container = {
    provideValue: () => container,
    injectClass: (Found: new (log: object) => Instrumenter) => new Found(QUIET),
  };
  return library.createInstrumenter(container);
}

const QUIET = { debug() {}, info() {}, warn() {}, error() {}, isDebugEnabled: () => false };

function textAt(text: string, { start, end }: Placed['mutants'][number]['location']): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.column);
  lines[0] = (lines[0] ?? '').slice(start.column);
  return lines.join('\n');
}
