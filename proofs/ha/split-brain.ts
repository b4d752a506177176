import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** A commit that waits for a machine that left has no end of its own. */
const ANSWER_MS = 5_000;
const PAUSE_MS = 100;
const TABLE = 'split_brain';

/** Writes to a leader that was deposed while it was frozen. */
export interface SplitBrain {
  /** Sends a write into the frozen machine; PostgreSQL finds it the moment that it continues. */
  sendIntoFrozen(): void;
  /** Writes on the old and on new connections until the signal. */
  writeUntil(signal: AbortSignal): Promise<void>;
  /** The writes that the deposed leader acknowledged: none, or the cluster has two leaders. */
  readonly acknowledged: number;
  readonly tried: number;
  close(): Promise<void>;
}

/** Makes the table of these writes; the leader must have a synchronous standby. */
export async function makeSplitBrainTable(leaderUrl: string): Promise<void> {
  await once(leaderUrl, `CREATE TABLE ${TABLE} (note text)`);
}

/** How many of these writes the new leader has: none, or the old leader's tail has come back. */
export async function countSplitBrainRows(leaderUrl: string): Promise<number> {
  const [row] = await once(leaderUrl, `SELECT count(*)::int AS count FROM ${TABLE}`);
  return row?.count ?? 0;
}

/** Connects to the leader itself, past HAProxy, while it is in good order. */
export async function openSplitBrain(leaderUrl: string): Promise<SplitBrain> {
  const old = newClient(leaderUrl);
  await old.connect();
  const writes: Promise<void>[] = [];
  const counts = { tried: 0, acknowledged: 0 };
  const write = async (client: pg.Client, note: string) => {
    counts.tried += 1;
    await client.query(`INSERT INTO ${TABLE} VALUES ('${note}')`);
    counts.acknowledged += 1;
  };
  return {
    get acknowledged() {
      return counts.acknowledged;
    },
    get tried() {
      return counts.tried;
    },
    sendIntoFrozen() {
      writes.push(write(old, 'old connection').catch(() => {}));
    },
    async writeUntil(signal) {
      while (!signal.aborted) {
        const fresh = newClient(leaderUrl);
        const attempt = fresh.connect().then(() => write(fresh, 'new connection'));
        // Not awaited: a write that waits for its standby shall not delay the next.
        writes.push(attempt.catch(() => {}).finally(() => fresh.end().catch(() => {})));
        await wait(PAUSE_MS);
      }
      await Promise.all(writes);
    },
    async close() {
      await old.end().catch(() => {});
    },
  };
}

function newClient(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  // A connection that breaks fails its next statement.
  client.on('error', () => {});
  return client;
}

async function once(connectionString: string, text: string) {
  const client = newClient(connectionString);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
