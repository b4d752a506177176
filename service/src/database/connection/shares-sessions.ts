import type pg from 'pg';
import { connectClient } from './connect-client.ts';

/** A pooler may have a connection to spare now and then; it has none three times in a row. */
const ROUNDS = 3;
/** The answer comes at once, unless the pooler has one connection alone, and another has it. */
const ANSWER_TIMEOUT_MS = 3_000;

const READ_BACKEND = 'SELECT pg_backend_pid() AS backend';
/** PgBouncer in statement mode refuses every transaction. */
const STATEMENT_MODE = /statement pooling mode/;

/**
 * Whether the database gives a connection's statements to several sessions, as a pooler in
 * transaction mode does. Prepared statements, settings, locks and LISTEN belong to a session.
 *
 * While one connection is in a transaction, such a pooler must serve the other one by a session
 * that is not the one before.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const asking = await connectClient(url, { queryTimeoutMs: ANSWER_TIMEOUT_MS });
  try {
    const holding = await connectClient(url, { queryTimeoutMs: ANSWER_TIMEOUT_MS });
    try {
      return await changesBackend(asking, holding);
    } finally {
      await end(holding);
    }
  } finally {
    await end(asking);
  }
}

async function changesBackend(asking: pg.Client, holding: pg.Client): Promise<boolean> {
  const first = await backendOf(asking);
  for (let round = 0; round < ROUNDS; round++) {
    try {
      await holding.query('BEGIN');
      await holding.query('SELECT 1');
    } catch (error) {
      if (error instanceof Error && STATEMENT_MODE.test(error.message)) return true;
      throw error;
    }
    const answer = await backendOf(asking).catch((error: unknown) => error);
    // A database that is silent, and not only this one of its connections, throws here.
    await holding.query('COMMIT');
    if (answer !== first) return true;
  }
  return false;
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query(READ_BACKEND);
  return rows[0].backend;
}

/** A pooler that still owes an answer must not keep the start. */
async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => {});
}
