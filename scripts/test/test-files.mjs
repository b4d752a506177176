import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Failure } from '../lib/failure.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

const FOLDERS = ['service/test', 'sdk', 'demo-shop', 'proofs'];
const SLOW = '/slow/';

/**
 * The test files to run, as paths from the project's folder: without the folders named `slow`, or
 * only those; and of these the ones whose path holds any of the filters.
 * @param {{ isSlow: boolean, filters: readonly string[] }} options @returns {string[]}
 */
export function findTestFiles({ isSlow, filters }) {
  const files = FOLDERS.map((folder) => join(ROOT, folder))
    .filter((folder) => existsSync(folder))
    .flatMap(testFilesIn)
    .map((path) => relative(ROOT, path))
    .filter((path) => `/${path}`.includes(SLOW) === isSlow)
    .sort();
  const wanted = filters.map((filter) => filter.replace(/^\.\//, ''));
  const chosen = files.filter(
    (path) => wanted.length === 0 || wanted.some((filter) => path.includes(filter)),
  );
  if (chosen.length > 0) return chosen;
  const what = filters.length > 0 ? ` whose path holds ${filters.join(' or ')}` : '';
  throw new Failure(`There is no ${isSlow ? 'slow ' : ''}test file${what}.`);
}

/** @param {string} folder @returns {string[]} */
function testFilesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesIn(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
