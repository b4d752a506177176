import { readFileSync, statSync } from 'node:fs';
import { Failure } from '../failure.mjs';

/**
 * The account that PostgreSQL runs under: PostgreSQL refuses to run as root.
 * @typedef {{ uid: number, gid: number, name: string }} Account
 */

/**
 * @param {string} dataDir where data may lie already: then its owner's account goes on with it
 * @returns {Account | undefined} undefined: our own account, which is not root
 */
export function postgresAccount(dataDir) {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `${owner.uid}` };
  // It must have an entry in the password file: initdb looks its own name up.
  const entry = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (entry) return { uid: Number(entry[1]), gid: Number(entry[2]), name: 'nobody' };
  throw new Failure(
    'PostgreSQL refuses to run as root, and this machine has no user "nobody" to run it under: ' +
      'run npm start as an ordinary user, or name a database with DATABASE_URL.',
  );
}
