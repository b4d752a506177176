import { join } from 'node:path';
import { readJsonFile, writePrivateFile } from '../lib/private-file.mjs';

/** @typedef {import('./settings.mjs').Environment} Environment */
/**
 * What a start has seeded in one environment, so that the next one need not look for it.
 * @typedef {object} Seeded
 * @property {string} database the identity of the database that holds it
 * @property {string} merchantId
 * @property {string} [webhookUrl] where all of its events are sent; left out: nowhere
 */

/** @param {string} localDir @returns {Partial<Record<Environment, Seeded>>} */
export function readSeeded(localDir) {
  const found = readJsonFile(join(localDir, 'seeded.json'));
  return /** @type {Partial<Record<Environment, Seeded>>} */ (found ?? {});
}

/** @param {string} localDir @param {Record<Environment, Seeded>} seeded */
export function writeSeeded(localDir, seeded) {
  writePrivateFile(join(localDir, 'seeded.json'), `${JSON.stringify(seeded, null, 2)}\n`);
}
