import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../toolchain.mjs';
import { readJsonFile, writePrivateFile } from './private-file.mjs';

/** @typedef {import('./settings.mjs').Environment} Environment */
/**
 * What a start has done for one environment, so that the next one need not do it again.
 * @typedef {object} Done
 * @property {string} database the identity of the database that it was done to
 * @property {string} sources the hash of the service that did it
 * @property {string} merchantId that was seeded
 */

/** @param {string} localDir @returns {Partial<Record<Environment, Done>>} */
export function readDone(localDir) {
  const found = readJsonFile(join(localDir, 'done.json'));
  return /** @type {Partial<Record<Environment, Done>>} */ (found ?? {});
}

/** @param {string} localDir @param {Record<Environment, Done>} done */
export function writeDone(localDir, done) {
  writePrivateFile(join(localDir, 'done.json'), `${JSON.stringify(done, null, 2)}\n`);
}

/** A hash of the service's code and migrations: while it stays, there is nothing to migrate. */
export function hashOfService() {
  const hash = createHash('sha256');
  for (const folder of ['src', 'migrations']) {
    const path = join(ROOT, 'service', folder);
    const names = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    for (const name of names) hash.update(name.slice(path.length)).update(readFileSync(name));
  }
  return hash.digest('hex');
}
