import { readFileSync, statSync } from 'node:fs';
import { Failure } from '../lib/failure.mjs';

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
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  // It must have an entry in the password file: PostgreSQL looks its own name up.
  const entry = entries.find(([name, , uid]) =>
    owner && owner.uid !== 0 ? uid === `${owner.uid}` : name === 'nobody',
  );
  const [name, , uid, gid] = entry ?? [];
  if (name) return { uid: Number(uid), gid: Number(gid), name };
  throw new Failure(
    'PostgreSQL refuses to run as root, and this machine has no user to run it under: ' +
      'run npm start as an ordinary user, or name a database with DATABASE_URL.',
  );
}
