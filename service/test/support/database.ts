import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { connectDatabase, type Database } from '#database/database.ts';
import { migrate } from '#database/schema/migrate.ts';
import type { Environment } from '#lib/environment.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { eventually } from './eventually.ts';

export interface TestDatabase {
  readonly url: string;
  /** Its server over TCP, for what stands between a service and its database. */
  readonly address: { readonly host: string; readonly port: number };
  /** Its URL by way of a port of this machine, such as that of a proxy. */
  urlAt(port: number): string;
  readonly db: Database;
  /** Runs any SQL; for what no front door shows. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Moves `service_now()`, the clock of due times and leases. */
  setNow(now: Date): Promise<void>;
  /**
   * Moves `service_now()` between two webhook attempts: no claim is under way then, and each
   * attempt is recorded. Time that moves within an attempt ends its lease, or its retry falls due
   * later than the test expects.
   *
   * @param move moves the other clocks in the same moment
   */
  setNowBetweenAttempts(now: Date, move?: () => void): Promise<void>;
  /**
   * Lets the connections made from now on choose plans as in production: `npm test` itself has each
   * statement planned once for a connection (scripts/test/run-tests.mjs).
   */
  planAsInProduction(): Promise<void>;
  /** A copy as this database is now; ends the connections to this one. */
  clone(): Promise<TestDatabase>;
  drop(): Promise<void>;
}

/** A transaction that writes webhooks ends sooner. Meanwhile the lock holds up all others. */
const LOCK_WAIT_MS = 1_000;
const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
/** The folder of the server's socket file, when `npm test` has started the server itself. */
const SOCKETS = process.env.TEST_DATABASE_SOCKETS;

/** Makes and drops databases: their connections serve the whole process. */
const server = new pg.Pool({
  connectionString: SERVER,
  max: 2,
  idleTimeoutMillis: 0,
  allowExitOnIdle: true,
});
server.on('error', () => {});

/**
 * A database of this test file alone, cloned from a template that is migrated once for all files.
 * With `now` its clock stands still there; without, it runs like the world's.
 */
export async function createTestDatabase(
  environment: Environment,
  now?: Date,
): Promise<TestDatabase> {
  templates[environment] ??= prepareTemplates(environment);
  const { running, still } = await templates[environment];
  const database = await cloneDatabase(now ? still : running);
  if (now) await database.setNow(now);
  return database;
}

async function cloneDatabase(template: string): Promise<TestDatabase> {
  const name = `payreq_test_${randomBytes(6).toString('hex')}`;
  // Copied file by file, not page by page through the log, which takes twice the work.
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = urlOf(name);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // Ending a pool does not wait for its connections; dropping the database then ends them.
  pool.on('error', () => {});
  const db = connectDatabase({ url, poolSize: 8 });
  const { hostname, port } = new URL(SERVER);
  return {
    url,
    address: { host: hostname, port: Number(port || 5432) },
    urlAt(proxyPort) {
      const proxied = new URL(url);
      proxied.hostname = '127.0.0.1';
      proxied.port = `${proxyPort}`;
      return proxied.href;
    },
    db,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async setNow(instant) {
      await pool.query('UPDATE test_clock SET now = $1', [instant]);
    },
    async setNowBetweenAttempts(instant, move = () => {}) {
      const isMoved = () => moveBetweenAttempts(pool, instant, move);
      await eventually(isMoved, 'the end of every attempt');
    },
    async planAsInProduction() {
      await server.query(`ALTER DATABASE ${name} SET plan_cache_mode = auto`);
    },
    async clone() {
      // A service of this database connects again at once; PostgreSQL copies it only unused.
      const allow = (isAllowed: boolean) =>
        server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`);
      await allow(false);
      try {
        await server.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
          [name],
        );
        return await cloneDatabase(name);
      } finally {
        await allow(true);
      }
    },
    async drop() {
      await db.close();
      await pool.end();
      await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** @returns whether no attempt was under way, and so the clock has moved */
async function moveBetweenAttempts(
  pool: pg.Pool,
  instant: Date,
  move: () => void,
): Promise<boolean> {
  const client = await pool.connect();
  let isMoved = false;
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_WAIT_MS}ms'`);
    // Claims and records write to this table: the lock waits for those under way, and holds others.
    await client.query('LOCK TABLE webhook_deliveries IN SHARE MODE');
    const leased = await client.query(
      'SELECT FROM webhook_deliveries WHERE leased_until > service_now() LIMIT 1',
    );
    isMoved = leased.rowCount === 0;
    if (isMoved) {
      move();
      await client.query('UPDATE test_clock SET now = $1', [instant]);
    }
  } finally {
    await client.query('COMMIT').finally(() => client.release());
  }
  return isMoved;
}

const STOP_CLOCK = `
  CREATE TABLE test_clock (now timestamptz);
  INSERT INTO test_clock VALUES (null);
  CREATE OR REPLACE FUNCTION service_now() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT now FROM test_clock'`;

/** The names of migrated databases; the clock of one runs, that of the other stands still. */
interface Templates {
  readonly running: string;
  readonly still: string;
}

const templates: { [name in Environment]?: Promise<Templates> } = {};

/**
 * Makes the migrated databases for each environment and schema; all files and runs on this server
 * share them.
 */
async function prepareTemplates(environment: Environment): Promise<Templates> {
  const running = `payreq_template_${environment}_${schemaFingerprint()}`;
  const still = `${running}_still`;
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('payreq-test-template'))");
    await prepare(client, running, '', (url) =>
      migrate({ url, environment, transitions: TRANSITIONS }),
    );
    await prepare(client, still, `TEMPLATE ${running}`, async (url) => {
      const inside = new pg.Client({ connectionString: url });
      await inside.connect();
      await inside.query(STOP_CLOCK).finally(() => inside.end());
    });
  } finally {
    // The lock ends with its session.
    await client.end();
  }
  return { running, still };
}

/** Makes a database unless it is there. */
async function prepare(
  client: pg.Client,
  name: string,
  options: string,
  fill: (url: string) => Promise<unknown>,
): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount) return;
  // Built under another name, so that an interrupted run leaves no half-made template.
  await client.query(`DROP DATABASE IF EXISTS ${name}_new WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name}_new ${options}`);
  await fill(urlOf(`${name}_new`));
  await client.query(`ALTER DATABASE ${name}_new RENAME TO ${name}`);
}

function schemaFingerprint(): string {
  const folder = new URL('../../migrations/', import.meta.url);
  const hash = createHash('sha256').update(JSON.stringify(TRANSITIONS));
  for (const file of readdirSync(folder).sort()) {
    hash.update(file).update(readFileSync(new URL(file, folder)));
  }
  return hash.digest('hex').slice(0, 12);
}

function urlOf(database: string): string {
  const url = new URL(SERVER);
  url.pathname = `/${database}`;
  if (SOCKETS) url.hostname = encodeURIComponent(SOCKETS);
  return url.href;
}
