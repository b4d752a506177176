import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The members of a package in package-lock.json that say what needs it. */
export interface InstalledPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** Leaves in a copied project's node_modules, and in npm's record of it, only some packages. */
export function linkPackages(folder: string, isKept: (entry: InstalledPackage) => boolean): void {
  const modules = join(folder, 'node_modules');
  rmSync(modules);
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const record = read('node_modules/.package-lock.json');
  // The record may be older than the lock file, and then still say what earlier needed a package.
  const locked: Record<string, InstalledPackage> = read('package-lock.json').packages;
  const kept = Object.entries(record.packages).filter(([path]) => isKept(locked[path] ?? {}));
  mkdirSync(modules);
  writeFileSync(
    join(modules, '.package-lock.json'),
    JSON.stringify({ ...record, packages: Object.fromEntries(kept) }),
  );
  const top = kept
    .map(([path]) => path)
    .filter((path) => /^node_modules\/[^/]+(\/[^/]+)?$/.test(path));
  for (const path of top) {
    if (path.startsWith('node_modules/@payment-requests/')) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  mkdirSync(join(modules, '@payment-requests'));
  symlinkSync(join(ROOT, 'sdk'), join(modules, '@payment-requests', 'sdk'));
}
