import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { connectClient } from '#database/connection/connect-client.ts';
import { DatabaseNotReached } from '#database/connection/describe-connect-fault.ts';
import type { Executor } from '#database/database.ts';
import type { Environment } from '#lib/environment.ts';
import { grantRuntimeRole, refuseRuntimeRole } from './grant-runtime-role.ts';
import { hashFiles, MIGRATIONS, readSchemaState, SchemaFault } from './schema-state.ts';

/**
 * Bounds each statement. An index of the largest table takes minutes, and a second start waits for
 * the first one's migrations; a database that is silent for longer does not come back.
 */
const QUERY_TIMEOUT_MS = 1_800_000;
/**
 * Calls queue behind a migration that waits for a table, and each call waits for 5 s at most. A
 * backup or a report may hold the table for hours.
 */
const LOCK_TIMEOUT_MS = 3_000;
/** Calls that queue behind a migration run in this pause. */
const LOCK_PAUSE_MS = 2_000;
/** With the pauses, 20 tries last 100 s: longer than any transaction of the service. */
const LOCK_TRIES = 20;

export interface MigrateOptions {
  readonly url: string;
  readonly environment: Environment;
  /** Every transition that the domain allows; it fills the table of the database's check. */
  readonly transitions: readonly { readonly from: string | null; readonly to: string }[];
  /** The folder of the migrations; left out: those of this version. */
  readonly folder?: string;
  /** The role of the service's own connections, where that is not the owner's. */
  readonly runtimeRole?: string | null;
  /** How often a migration tries to lock its tables; 20 when left out. */
  readonly lockTries?: number;
}

export interface MigrateResult {
  /** The migrations that this call ran. */
  readonly ran: readonly string[];
  /** Migrations of a later version, which this one works with. Nothing was changed then. */
  readonly newer: readonly string[];
}

/**
 * Brings the database to this version's schema: forward only, each file in its own transaction,
 * guarded by an advisory lock so that two starts at once do no harm. A database that a later
 * version has migrated stays as it is, its table of transitions too.
 *
 * @throws WrongEnvironment when the database belongs to the other environment (contract §2).
 * @throws SchemaFault when a later version has migrated the database beyond this one, or another
 *   version's files made it.
 * @throws RuntimeRoleFault when the runtime role is unfit, or is the role of this connection.
 * @throws DatabaseNotReached when no connection can be made, or another session keeps a table.
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const { url, environment, transitions, folder = MIGRATIONS, runtimeRole } = options;
  const client = await connectClient(url, { queryTimeoutMs: QUERY_TIMEOUT_MS });
  try {
    if (runtimeRole) await refuseRuntimeRole(client, runtimeRole);
    // Held to the end, so that a second migration of the same database waits for all of this one.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', ['payment-requests-migrate']);
    await refuseOtherEnvironment(client, environment);
    const { missing, newer } = await readSchemaState(executorOf(client), folder);
    if (newer.length > 0) return { ran: [], newer };
    if (missing.length > 0) {
      await ensureMigrationsTable(client);
      await runMigrations(client, folder, options.lockTries ?? LOCK_TRIES);
    }
    await recordHashes(client, folder);
    await client.query(
      'INSERT INTO deployment (environment) VALUES ($1) ON CONFLICT (only_row) DO NOTHING',
      [environment],
    );
    await fillTransitions(client, transitions);
    if (runtimeRole) await grantRuntimeRole(client, runtimeRole);
    return { ran: missing, newer };
  } finally {
    await client.end();
  }
}

/**
 * Checks, without a change, that this version works with the database as it is.
 *
 * @throws SchemaFault also when the database lacks a migration of this version
 * @throws WrongEnvironment, DatabaseNotReached
 */
export async function checkSchema(
  options: Pick<MigrateOptions, 'url' | 'environment'>,
): Promise<MigrateResult> {
  const client = await connectClient(options.url);
  try {
    await refuseOtherEnvironment(client, options.environment);
    const { missing, newer } = await readSchemaState(executorOf(client));
    if (missing.length === 0) return { ran: [], newer };
    throw new SchemaFault(`The database lacks ${missing.join(', ')}. Run payreq migrate first.`);
  } finally {
    await client.end();
  }
}

function executorOf(client: pg.Client): Executor {
  return {
    query: async ({ text }, values = []) => (await client.query(text, [...values])).rows,
  };
}

/** Runs each missing file in its own transaction, again where a lock was not free in time. */
async function runMigrations(client: pg.Client, dir: string, lockTries: number): Promise<void> {
  // Most starts find nothing to run.
  const { runner } = await import('node-pg-migrate');
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (let attempt = 1; ; attempt++) {
    try {
      await runner({
        dbClient: client,
        dir,
        direction: 'up',
        migrationsTable: 'schema_migrations',
        noLock: true,
        log: () => {},
      });
      break;
    } catch (error) {
      if (!isLocked(error)) throw error;
      await client.query('ROLLBACK');
      if (attempt >= lockTries) throw new DatabaseNotReached(TABLE_LOCKED, error);
      await setTimeout(LOCK_PAUSE_MS);
    }
  }
  await client.query('SET lock_timeout = 0');
}

/** A lock was not free in time, or the server ended a deadlock with an old process. */
function isLocked(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === '55P03' || code === '40P01';
}

const TABLE_LOCKED = {
  sentence:
    'The database cannot be migrated: another session, such as a backup, holds a lock on a table ' +
    'that the migration changes. Run it again when that session has ended.',
  canHeal: true,
};

/** Makes the table that the runner would make. The runner's error hides the server's code. */
async function ensureMigrationsTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('public.schema_migrations') AS found");
  if (rows[0]?.found !== null) return;
  await client.query(`CREATE TABLE public.schema_migrations (
    id serial PRIMARY KEY, name varchar(255) NOT NULL, run_on timestamp NOT NULL, sha256 text)`);
}

/** Records the hash of each file that ran. The runner writes the rows, and knows no hash. */
async function recordHashes(client: pg.Client, folder: string): Promise<void> {
  const hashes = await hashFiles(folder);
  await client.query(
    `UPDATE schema_migrations m SET sha256 = f.sha256
     FROM unnest($1::text[], $2::text[]) AS f (name, sha256)
     WHERE m.name = f.name AND m.sha256 IS NULL`,
    [[...hashes.keys()], [...hashes.values()]],
  );
}

export class WrongEnvironment extends Error {
  constructor(found: string, wanted: Environment) {
    super(`The database belongs to the ${found} environment; this service is ${wanted}.`);
    this.name = 'WrongEnvironment';
  }
}

async function refuseOtherEnvironment(client: pg.Client, wanted: Environment): Promise<void> {
  const { rows: tables } = await client.query("SELECT to_regclass('deployment') AS deployment");
  if (tables[0].deployment === null) return;
  const { rows } = await client.query('SELECT environment FROM deployment');
  const found = rows[0]?.environment;
  if (found !== undefined && found !== wanted) throw new WrongEnvironment(found, wanted);
}

/** Writes the database's table of transitions if it differs from the code's. */
async function fillTransitions(
  client: pg.Client,
  transitions: MigrateOptions['transitions'],
): Promise<void> {
  const moves = transitions.filter((row) => row.from !== null);
  const wanted = [moves.map((row) => row.from), moves.map((row) => row.to)];
  const { rows } = await client.query(
    `WITH wanted AS (SELECT DISTINCT f, t FROM unnest($1::text[], $2::text[]) AS moves (f, t)),
          found AS (SELECT from_status AS f, to_status AS t FROM payment_request_transitions)
     SELECT EXISTS (SELECT f, t FROM wanted EXCEPT SELECT f, t FROM found)
         OR EXISTS (SELECT f, t FROM found EXCEPT SELECT f, t FROM wanted) AS differs`,
    wanted,
  );
  if (!rows[0].differs) return;
  await client.query('BEGIN');
  await client.query('DELETE FROM payment_request_transitions');
  await client.query(
    `INSERT INTO payment_request_transitions (from_status, to_status)
     SELECT DISTINCT f, t FROM unnest($1::text[], $2::text[]) AS moves (f, t)`,
    wanted,
  );
  await client.query('COMMIT');
}
