import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from './account.mjs';
import { ensurePostgresFolder } from './folder.mjs';
import { endOrphanedPostgres } from './orphan.mjs';
import { ensurePostgresPrograms } from './programs.mjs';

/**
 * PostgreSQL as it stands before it is started.
 * @typedef {object} OwnPostgres
 * @property {import('./account.mjs').Account | undefined} account
 * @property {import('./programs.mjs').Programs} programs
 * @property {string} folder @property {boolean} holdsData
 */

/**
 * Finds programs, account and folder of the PostgreSQL that `npm start` brings along, and ends the
 * server that a killed start may have left there.
 * @param {string} preferred the folder for its data, if its account can enter it
 * @param {(note: string) => void} note
 * @returns {Promise<OwnPostgres>}
 */
export async function prepareOwnPostgres(preferred, note) {
  const account = postgresAccount(join(preferred, 'data'));
  const programs = ensurePostgresPrograms(account);
  const folder = ensurePostgresFolder(preferred, account);
  await endOrphanedPostgres(join(folder, 'data'), note);
  return { account, programs, folder, holdsData: existsSync(join(folder, 'data')) };
}
