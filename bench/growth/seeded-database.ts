import pg from 'pg';
import type { Database } from '../../service/src/database/database.ts';
import { openProbe, type Probe } from './probe.ts';
import { type SeededRow, seededRow } from './seeded-rows.ts';
import { enqueueEvent, expireAll } from './write-rows.ts';

/** A seeded database on which calls are measured. */
export interface SeededDatabase {
  readonly rows: number;
  readonly probe: Probe;
  /** Gives a random row out of all rows, or out of the newest. */
  readonly randomRow: (newestRows?: number) => SeededRow;
}

/** Both sizes have this number of destinations with waiting deliveries. */
const WAITING_DESTINATIONS = 50;
/** Waiting deliveries of each destination. */
const WAITING_EACH = 4;

const LOAD_PREWARM = 'CREATE EXTENSION IF NOT EXISTS pg_prewarm';
// The indexes that every create writes to are in the server's memory, the rest in the system's
// cache.
// The bodies of webhooks stay on the disk, except those of the last day.
const PREWARM = `
  SELECT sum(pg_prewarm(c.oid, CASE WHEN i.indrelid = 'payment_requests'::regclass
                                           THEN 'buffer' ELSE 'read' END)) AS pages
         FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
           AND c.relname <> 'webhook_events'`;

/** Counts destinations: the expiries just written left deliveries of two or three merchants. */
const COUNT_WAITING = {
  name: 'growth-count-waiting',
  text: `SELECT count(DISTINCT destination) AS count FROM webhook_deliveries
         WHERE status = 'PENDING'`,
};
const DELAY_RETRIES = {
  name: 'growth-delay-retries',
  text: `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at + interval '3 days'
         WHERE status = 'PENDING'`,
};

/**
 * Opens a seeded database, and brings caches, expiries and retries to the state of a running
 * service.
 */
export async function openSeededDatabase(
  databaseUrl: string,
  rows: number,
  newest: Date,
): Promise<SeededDatabase> {
  const probe = await openProbe(databaseUrl);
  await prewarm(databaseUrl);
  await expireAll(probe.db);
  const [waiting] = await probe.db.query<{ count: number }>(COUNT_WAITING);
  if ((waiting?.count ?? 0) < WAITING_DESTINATIONS) await addWaitingDeliveries(probe.db);
  const randomRow = (newestRows = rows) => {
    const age = Math.floor(Math.random() * Math.min(newestRows, rows));
    return seededRow(rows - age, rows, newest);
  };
  return { rows, probe, randomRow };
}

/** Fills the caches, as on a server that has run for long. */
async function prewarm(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(LOAD_PREWARM);
  await client.query(PREWARM);
  await client.end();
}

async function addWaitingDeliveries(db: Database): Promise<void> {
  for (let other = 0; other < WAITING_DESTINATIONS; other += 1) {
    for (let n = 0; n < WAITING_EACH; n += 1) await enqueueEvent(db, `mer_${other}`);
  }
  await db.query(DELAY_RETRIES);
}
