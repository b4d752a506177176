import { join } from 'node:path';
import { readJsonFile, writePrivateFile } from '../lib/private-file.mjs';

/** @typedef {import('./settings.mjs').Environment} Environment */
/**
 * The merchant that a start has seeded in one environment; the next start then need not ask.
 * @typedef {object} Seeded
 * @property {string} database the identity of the database that holds it
 * @property {string} merchantId
 * @property {string} [returnOrigin] the origin to which its payers may be led back
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
