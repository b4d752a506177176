import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const { installPackages, mayInstall } = await import(
  new URL('../../../scripts/debian/install-packages.mjs', import.meta.url).href
);

/**
 * Installs the packages of Debian whose program is missing, where this process may do so. A missing
 * program elsewhere fails in the test that starts the program.
 *
 * @param programs by name of the package, the path of a program
 */
export async function ensurePackages(programs: Readonly<Record<string, string>>): Promise<void> {
  const missing = Object.entries(programs).filter(([, program]) => !existsSync(program));
  if (missing.length === 0 || !mayInstall()) return;
  const names = missing.map(([name]) => name);
  assert.ok(await installPackages(names, new AbortController().signal), `apt-get: ${names}`);
}

/**
 * Unpacks packages of Debian without an installation, which would start their servers.
 *
 * @returns the folder that stands for `/`
 */
export async function unpackPackages(names: readonly string[], folder: string): Promise<string> {
  const root = join(folder, 'root');
  await run('apt-get', ['download', ...names], { cwd: folder });
  const files = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  for (const name of files) await run('dpkg', ['-x', join(folder, name), root]);
  return root;
}

/** The libraries that an unpacked package needs and this machine lacks. */
export async function missingLibraries(folder: string, name: string): Promise<string[]> {
  const file = readdirSync(folder).find((each) => each.startsWith(`${name}_`)) ?? '';
  const { stdout } = await run('dpkg-deb', ['-f', join(folder, file), 'Depends']);
  const needed = stdout.split(',').flatMap((each) => /^\s*(lib[^\s(|]+)/.exec(each)?.[1] ?? []);
  const isInstalled = (each: string) =>
    run('dpkg', ['-s', each]).then(
      () => true,
      () => false,
    );
  const installed = await Promise.all(needed.map(isInstalled));
  return needed.filter((_, index) => !installed[index]);
}
