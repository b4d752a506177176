import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../lib/failure.mjs';
import { readJsonFile, writePrivateFile } from '../lib/private-file.mjs';

/**
 * @typedef {object} EnvironmentSecrets each 32 random bytes in standard base64
 * @property {string} credentialsPepper @property {string} secretsKey
 */
/**
 * @typedef {object} Secrets
 * @property {string} postgresPassword of PostgreSQL's superuser
 * @property {string} databasePassword of the role that the services connect as
 * @property {EnvironmentSecrets} sandbox @property {EnvironmentSecrets} production
 */

/**
 * The secrets of this LOCAL_DIR: made once, kept in secrets.json with mode 0600.
 * @param {string} localDir @returns {{ secrets: Secrets, areNew: boolean, path: string }}
 */
export function ensureSecrets(localDir) {
  const path = join(localDir, 'secrets.json');
  const found = readJsonFile(path);
  if (found !== undefined) return { secrets: /** @type {Secrets} */ (found), areNew: false, path };
  const secrets = {
    postgresPassword: randomBytes(24).toString('base64url'),
    databasePassword: randomBytes(24).toString('base64url'),
    sandbox: makeEnvironmentSecrets(),
    production: makeEnvironmentSecrets(),
  };
  return { secrets, areNew: true, path };
}

/** @param {string} path @param {Secrets} secrets */
export function keepSecrets(path, secrets) {
  writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`);
}

/**
 * @param {string} path of the missing secrets.json @param {string} data as in "the database x"
 * @returns {Failure}
 */
export function secretsMissing(path, data) {
  return new Failure(
    `${path} is missing, and what lies in ${data} cannot be read without it: ` +
      `restore the file, or delete ${data} to start anew.`,
  );
}

/** @returns {EnvironmentSecrets} */
function makeEnvironmentSecrets() {
  return {
    credentialsPepper: randomBytes(32).toString('base64'),
    secretsKey: randomBytes(32).toString('base64'),
  };
}

/**
 * The key of the link to the shop's staff's pages: made once, kept in shop-staff-key.
 * @param {string} localDir
 */
export function ensureStaffKey(localDir) {
  const path = join(localDir, 'shop-staff-key');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const key = randomBytes(32).toString('base64url');
  writePrivateFile(path, key);
  return key;
}
