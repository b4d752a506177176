import pg from 'pg';
import { migrate } from '../../service/src/database/schema/migrate.ts';
import { TRANSITIONS } from '../../service/src/payment-requests/model/statuses.ts';
import { INSERT_BATCH, INSERT_OWNERS } from './seed-rows.ts';

/** Rows of a batch: an interrupted run repeats this work of some seconds. */
const BATCH = 50_000;
/** The tables with millions of rows; their indexes are created after the rows. */
const TABLES = [
  'payment_requests',
  'payment_request_moves',
  'payment_request_timeline',
  'network_requests',
  'idempotency_answers',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
] as const;

export interface SeedOptions {
  readonly databaseUrl: string;
  readonly rows: number;
  /** The days for which webhook events are kept. */
  readonly webhookDays: number;
  /** Concurrent statements; each takes a core of the server. */
  readonly workers: number;
  readonly onStep: (step: string) => void;
}

/**
 * Fills a database with payment requests of a year and all rows that belong to them. The schema
 * `growth` in the database records each finished step in the step's transaction. An interrupted run
 * continues after the last finished step; a repeated run does nothing.
 *
 * @returns the instant of the newest row
 * @throws  Error when the database is no sandbox, or holds payment requests that were not seeded
 */
export async function seedDatabase(options: SeedOptions): Promise<Date> {
  await migrate({
    url: options.databaseUrl,
    environment: 'sandbox',
    transitions: TRANSITIONS,
  });
  const clients = Array.from(
    { length: options.workers },
    () => new pg.Client({ connectionString: options.databaseUrl }),
  );
  const [first] = clients;
  if (!first) throw new Error('Seeding needs a worker.');
  try {
    for (const client of clients) await prepareConnection(client);
    const newest = await begin(first, options);
    await dropIndexes(first);
    await shareOut(clients, await openBatches(first), async (client, batch) => {
      await insertBatch(client, options, newest, batch);
      options.onStep(`payment requests up to ${batch.last}`);
    });
    await shareOut(clients, await droppedIndexes(first), async (client, index) => {
      await client.query(`BEGIN; ${index.text}`);
      await client.query('DELETE FROM growth.indexes WHERE name = $1', [index.name]);
      await client.query('COMMIT');
      options.onStep(index.name);
    });
    await shareOut(clients, await unvacuumed(first), async (client, { name }) => {
      await client.query(`VACUUM (ANALYZE) ${name}`);
      await client.query(`ALTER TABLE ${name} RESET (autovacuum_enabled)`);
      await client.query('INSERT INTO growth.vacuumed VALUES ($1)', [name]);
      options.onStep(`vacuumed ${name}`);
    });
    return newest;
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function prepareConnection(client: pg.Client): Promise<void> {
  await client.connect();
  // Triggers and foreign keys do not run: the seed makes valid rows.
  await client.query("SET session_replication_role = 'replica'");
  // A crash loses no more than whole batches, and growth.batches shows which to repeat.
  await client.query('SET synchronous_commit = off');
  await client.query("SET maintenance_work_mem = '512MB'");
  await client.query("SET work_mem = '256MB'");
}

/** Writes owners and steps, once for a database. @returns the newest row's instant */
async function begin(client: pg.Client, { rows, webhookDays }: SeedOptions): Promise<Date> {
  const { rows: found } = await client.query("SELECT to_regclass('growth.seed') AS seed");
  if (found[0].seed === null) {
    const { rows: strangers } = await client.query('SELECT FROM payment_requests LIMIT 1');
    if (strangers.length > 0)
      throw new Error('The database holds payment requests that were not seeded.');
    await client.query(`
      BEGIN;
      CREATE SCHEMA growth;
      CREATE TABLE growth.seed (rows bigint, webhook_days int, newest timestamptz);
      CREATE TABLE growth.batches (first bigint PRIMARY KEY, last bigint, done_at timestamptz);
      CREATE TABLE growth.indexes (name text PRIMARY KEY, text text);
      CREATE TABLE growth.vacuumed (name text PRIMARY KEY);
      INSERT INTO growth.seed VALUES (${rows}, ${webhookDays}, date_trunc('ms', now()));
      INSERT INTO growth.batches
        SELECT f, least(f + ${BATCH} - 1, ${rows}) FROM generate_series(1, ${rows}, ${BATCH}) f;
      ${INSERT_OWNERS};
      COMMIT`);
  }
  const { rows: seeds } = await client.query('SELECT * FROM growth.seed');
  if (Number(seeds[0].rows) !== rows || seeds[0].webhook_days !== webhookDays) {
    throw new Error('The database was seeded with other numbers: drop it first.');
  }
  return seeds[0].newest;
}

interface Batch {
  readonly first: string;
  readonly last: string;
}

async function openBatches(client: pg.Client): Promise<Batch[]> {
  const text = 'SELECT first, last FROM growth.batches WHERE done_at IS NULL ORDER BY first';
  return (await client.query<Batch>(text)).rows;
}

async function insertBatch(client: pg.Client, options: SeedOptions, newest: Date, batch: Batch) {
  await client.query('BEGIN');
  const { rows } = await client.query('SELECT pg_current_xact_id()::text AS next');
  const keptSinceMs = newest.getTime() - options.webhookDays * 86_400_000;
  await client.query(INSERT_BATCH, [
    batch.first,
    batch.last,
    options.rows,
    newest.getTime(),
    keptSinceMs,
    rows[0].next,
  ]);
  await client.query('UPDATE growth.batches SET done_at = now() WHERE first = $1', [batch.first]);
  await client.query('COMMIT');
}

interface Index {
  readonly name: string;
  readonly text: string;
}

/** Drops all indexes before the first batch, except primary keys, which foreign keys need. */
async function dropIndexes(client: pg.Client): Promise<void> {
  const { rows: done } = await client.query('SELECT FROM growth.batches WHERE done_at IS NOT NULL');
  if (done.length > 0) return;
  const { rows } = await client.query<Index & { drop: string }>(
    `SELECT i.indexname AS name,
       CASE WHEN c.oid IS NULL THEN i.indexdef
            ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', i.tablename, c.conname,
                        pg_get_constraintdef(c.oid)) END AS text,
       CASE WHEN c.oid IS NULL THEN format('DROP INDEX %I', i.indexname)
            ELSE format('ALTER TABLE %I DROP CONSTRAINT %I', i.tablename, c.conname) END AS drop
     FROM pg_indexes i
     LEFT JOIN pg_constraint c
       ON c.conindid = format('%I.%I', i.schemaname, i.indexname)::regclass
       AND c.contype IN ('p', 'u')
     WHERE i.schemaname = 'public' AND i.tablename = ANY ($1) AND c.contype IS DISTINCT FROM 'p'`,
    [TABLES],
  );
  await client.query('BEGIN');
  // The seed vacuums each table once, at the end.
  for (const table of TABLES) {
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  }
  for (const { name, text, drop } of rows) {
    await client.query('INSERT INTO growth.indexes VALUES ($1, $2)', [name, text]);
    await client.query(drop);
  }
  await client.query('COMMIT');
}

async function droppedIndexes(client: pg.Client): Promise<Index[]> {
  return (await client.query<Index>('SELECT name, text FROM growth.indexes ORDER BY name')).rows;
}

async function unvacuumed(client: pg.Client): Promise<{ readonly name: string }[]> {
  const text = `SELECT name FROM unnest($1::text[]) AS tables (name)
                WHERE name NOT IN (SELECT name FROM growth.vacuumed)`;
  return (await client.query<{ name: string }>(text, [TABLES])).rows;
}

/** Gives the next item to each worker that is free. */
async function shareOut<Item>(
  clients: readonly pg.Client[],
  items: readonly Item[],
  work: (client: pg.Client, item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  await Promise.all(
    clients.map(async (client) => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) {
        await work(client, item);
      }
    }),
  );
}
