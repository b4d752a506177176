import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { errorCode, Failure } from '../lib/failure.mjs';
import { ENVIRONMENTS } from '../state/settings.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

/** @typedef {import('../state/settings.mjs').Environment} Environment */
/**
 * @typedef {object} LocalDatabase
 * @property {string} url for the service
 * @property {string} name
 * @property {string} identity changes when the database is dropped and made again
 */

/** @type {typeof import('pg')} */
const pg = createRequire(join(ROOT, 'service', 'package.json'))('pg');

// The role that the services connect as, and the databases' common name, in our own PostgreSQL.
const ROLE = 'payment_requests';
// Names longer than this PostgreSQL would cut without a word.
const LONGEST_NAME_BYTES = 63;
// A server that does not answer within this is taken to be away.
const CONNECT_MS = 10_000;

/**
 * Makes the two databases in our own PostgreSQL, owned by a role that is no superuser.
 * @param {import('./server.mjs').PostgresServer} server
 * @param {import('../state/secrets.mjs').Secrets} secrets
 */
export async function ensureOwnDatabases(server, { postgresPassword, databasePassword }) {
  const admin = await connect(server.url('postgres', postgresPassword, 'postgres'));
  try {
    const { rows } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [ROLE]);
    const verb = rows.length === 0 ? 'CREATE' : 'ALTER';
    await admin.query(
      `${verb} ROLE ${ROLE} LOGIN PASSWORD ${admin.escapeLiteral(databasePassword)}`,
    );
    const urlOf = (/** @type {string} */ name) => server.url(ROLE, databasePassword, name);
    return await ensureBoth({ admin, name: ROLE, owner: ROLE, urlOf });
  } finally {
    await admin.end();
  }
}

/**
 * Makes the databases `<name>_sandbox` and `<name>_production` beside the one that DATABASE_URL
 * names (contract §2).
 * @param {string} databaseUrl
 */
export async function ensureGivenDatabases(databaseUrl) {
  const url = URL.parse(databaseUrl);
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new Failure('DATABASE_URL must look like postgres://user:password@host:5432/name.');
  }
  const name = decodeURIComponent(url.pathname.slice(1)) || ROLE;
  if (Buffer.byteLength(`${name}_production`) > LONGEST_NAME_BYTES) {
    throw new Failure(`The database's name in DATABASE_URL, "${name}", is too long.`);
  }
  const urlOf = (/** @type {string} */ database) => {
    const changed = new URL(url);
    changed.pathname = `/${encodeURIComponent(database)}`;
    return changed.href;
  };
  const admin = await connectToAny([name, 'postgres', 'template1'].map(urlOf));
  try {
    return await ensureBoth({ admin, name, urlOf });
  } finally {
    await admin.end();
  }
}

/** Whether anything was ever put into the database. @param {LocalDatabase} database */
export async function holdsTables({ url }) {
  const client = await connect(url);
  try {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') LIMIT 1`,
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

/**
 * @param {{ admin: import('pg').Client, name: string, owner?: string,
 *   urlOf: (database: string) => string }} options
 * @returns {Promise<Record<Environment, LocalDatabase>>}
 */
async function ensureBoth({ admin, name, owner, urlOf }) {
  /** @type {Partial<Record<Environment, LocalDatabase>>} */
  const databases = {};
  for (const environment of ENVIRONMENTS) {
    const database = `${name}_${environment}`;
    const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rows.length === 0) await create(admin, database, owner);
    const identity = await identify(admin, database);
    databases[environment] = { url: urlOf(database), name: database, identity };
  }
  return /** @type {Record<Environment, LocalDatabase>} */ (databases);
}

/** @param {import('pg').Client} admin @param {string} database @param {string} [owner] */
async function create(admin, database, owner) {
  const clause = owner ? ` OWNER ${admin.escapeIdentifier(owner)}` : '';
  try {
    await admin.query(`CREATE DATABASE ${admin.escapeIdentifier(database)}${clause}`);
  } catch (error) {
    // 42P04: another start has just made it.
    if (errorCode(error) === '42P04') return;
    throw new Failure(`Cannot make the database ${database}: ${messageOf(error)}.`);
  }
}

/** @param {import('pg').Client} admin @param {string} database @returns {Promise<string>} */
async function identify(admin, database) {
  try {
    const { rows } = await admin.query(
      `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid AS identity
       FROM pg_database WHERE datname = $1`,
      [database],
    );
    return rows[0].identity;
  } catch {
    // Some hosted servers forbid it: then each start looks at the database as at a new one.
    return randomUUID();
  }
}

/** The first that exists. @param {readonly string[]} urls */
async function connectToAny(urls) {
  for (const url of urls) {
    try {
      return await connect(url);
    } catch (error) {
      // 3D000: there is no such database.
      if (!(error instanceof Failure) || errorCode(error.cause) !== '3D000') throw error;
    }
  }
  throw new Failure('DATABASE_URL names a server without a database to connect to.');
}

/** @param {string} url @returns {Promise<import('pg').Client>} */
async function connect(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new Failure(
      `Cannot connect to the database ${pathname.slice(1)} on ${host}: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}

/** @param {unknown} error */
function messageOf(error) {
  if (error instanceof AggregateError) return errorCode(error) || 'no connection';
  return error instanceof Error ? error.message : String(error);
}
