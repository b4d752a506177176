import { spawnSync } from 'node:child_process';
import { ensurePackages } from '../debian-packages.ts';

/** Debian's own: a version manager's would need an installation for each project. */
export const PYTHON = '/usr/bin/python3';
const IS_RECENT = 'import sys; sys.exit(sys.version_info < (3, 11))';

/** `npm test` allows a skip with this reason (scripts/test/allowed-skips.mjs). */
const MISSING = 'Python 3.11 is not there';

/**
 * Installs Debian's Python where it is missing and this process may do so.
 *
 * @returns why tests that need it are skipped; false: they run
 */
export async function whyNoPython(): Promise<string | false> {
  await ensurePackages({ python3: PYTHON });
  return spawnSync(PYTHON, ['-c', IS_RECENT]).status === 0 ? false : MISSING;
}
