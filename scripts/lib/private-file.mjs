import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode, Failure, fileFailure } from './failure.mjs';

/**
 * Writes a file that only its owner may read (0600), whole or not at all: a reader never sees half.
 * @param {string} path @param {string} text
 */
export function writePrivateFile(path, text) {
  const fresh = `${path}.${process.pid}.new`;
  try {
    rmSync(fresh, { force: true });
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(fresh, path);
  } catch (error) {
    throw fileFailure(error, `write ${path}`);
  }
}

/**
 * @param {string} path
 * @returns {unknown} the JSON in it; undefined when there is no such file
 */
export function readJsonFile(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw fileFailure(error, `read ${path}`);
    throw new Failure(
      `${path} is not valid JSON; restore it, or delete it to have a new one made.`,
    );
  }
}
