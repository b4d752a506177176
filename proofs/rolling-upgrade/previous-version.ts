import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A rolling upgrade starts at this version (decision 0031), the last commit before the migrations
 * of the present version. A release sets it to the tag of the release before.
 */
export const PREVIOUS_VERSION = '4b6b104';
/** The newest migration of that version. */
export const PREVIOUS_SCHEMA = 39;
/** The folders that `payreq serve` reads. */
const PARTS = ['service', 'sdk', 'docs', 'scripts', 'package.json', 'tsconfig.json'];

/** @returns why this checkout lacks the previous version; null: the checkout has it */
export function whyNoPreviousVersion(): string | null {
  const found = spawnSync('git', ['cat-file', '-e', `${PREVIOUS_VERSION}^{commit}`], { cwd: ROOT });
  if (found.status === 0) return null;
  return `needs the commit ${PREVIOUS_VERSION}, which a tarball and a shallow clone do not have`;
}

/**
 * Writes the previous version into a folder, with the dependencies of this checkout.
 * @returns the file of its command line
 */
export function extractPreviousVersion(folder: string): string {
  mkdirSync(folder);
  const args = ['archive', PREVIOUS_VERSION, ...PARTS];
  const archive = execFileSync('git', args, { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'service/src/cli.ts');
}
