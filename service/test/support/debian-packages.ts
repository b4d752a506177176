import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';

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
