import pg from 'pg';
import { ask } from '#database/connection/ask.ts';
import { DatabaseUnavailable } from '#database/connection/database-unavailable.ts';
import {
  isOutcomeUnknown,
  isSessionFit,
  isUnavailable,
  LostCommit,
} from '#database/connection/is-unavailable.ts';
import { OID_TIMESTAMPTZ, parseTimestamp } from '#database/connection/parse-timestamp.ts';
import { sessionSettings } from '#database/connection/session-settings.ts';
import { shapeRows } from '#database/connection/shape-rows.ts';
import { type ReplicationWatch, watchReplication } from '#database/connection/watch-replication.ts';
import { type SilenceWatch, watchSilence } from '#database/connection/watch-silence.ts';
import type { Clock } from '#lib/clock.ts';
import { passCommit, passStatement } from '#lib/failpoints/failpoint.ts';
import { createListening, type Listen } from './listen.ts';

export { DatabaseUnavailable } from '#database/connection/database-unavailable.ts';

/** An SQL statement and its name as a prepared statement; with an empty name it is not prepared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The connection of a store: the use case hands over the pool or a transaction. */
export interface Executor {
  /** Runs one prepared statement. Throws `DatabaseUnavailable` when the database cannot be used. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Executor {
  /** Runs `work` in one transaction: committed when it resolves, else rolled back. */
  transaction<Result>(work: (tx: Executor) => Promise<Result>): Promise<Result>;
  /**
   * Calls `onNotify` for each NOTIFY on a channel. After a reconnection it calls `onNotify` without
   * a payload, because notifications may be lost. All channels share a connection beside the pool.
   */
  readonly listen: Listen;
  /** The connections of the pool and the requests that wait for one, for metrics. */
  poolUse(): { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/** The needs of an act: the database, and the clock that dates what the act writes. */
export interface DatabaseDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName?: string;
  /** In milliseconds; 15,000 when left out. */
  readonly transactionTimeoutMs?: number;
  /** In milliseconds; 10,000 when left out. The client waits 2 s longer for the answer. */
  readonly statementTimeoutMs?: number;
}

/** The longest wait of a request for a connection; its caller then tries again. */
const CONNECT_TIMEOUT_MS = 2_000;
/** No statement of the service is slow: after 10 s a statement is stuck, and must let go. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * A working server cancels a statement at its time-out and reports it. Two seconds later the
 * connection counts as silent and is destroyed.
 */
const SILENCE_MARGIN_MS = 2_000;
/** A new connection's first statement only sets settings. */
const GREETING_LIMIT_MS = 2_000;
/** Below STATEMENT_TIMEOUT_MS, so that a lock wait has another error than a slow statement. */
const LOCK_TIMEOUT_MS = 5_000;
/** An idle transaction holds back the feed and vacuum; our transactions are never idle. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** Limit of a whole transaction; above STATEMENT_TIMEOUT_MS, whose error comes first. */
const TRANSACTION_TIMEOUT_MS = 15_000;
/** Requests that may wait for a connection; further requests would only reach their time-out. */
const MOST_WAITING = 1_000;
/** After 5 s of silence the kernel probes the peer, each second, ten times. */
const KEEP_ALIVE_DELAY_MS = 5_000;

const OID_INT8 = 20;
const OID_DATE = 1082;

/** int8 is a number (cents stay far below 2^53), date is its text; pg's parsers do the rest. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === OID_INT8) return Number;
    if (oid === OID_DATE) return (text: string) => text;
    if (oid === OID_TIMESTAMPTZ) return parseTimestamp;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

const BEGIN: pg.QueryConfig = { text: 'BEGIN' };
const COMMIT: pg.QueryConfig = { text: 'COMMIT' };
const ROLLBACK: pg.QueryConfig = { text: 'ROLLBACK' };

/** A connection, and the longest wait for an answer on the connection. */
interface Line {
  readonly client: pg.PoolClient;
  readonly silence: SilenceWatch;
  readonly silenceLimitMs: number;
  readonly replication: ReplicationWatch;
}

/** Opens a pool of connections. Nothing is connected until the first statement. */
export function connectDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const connection: pg.PoolConfig = {
    connectionString: options.url,
    application_name: options.applicationName ?? 'payment-requests',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types,
  };
  const silence = watchSilence();
  const replication = watchReplication();
  const silenceLimitMs = statementTimeoutMs + SILENCE_MARGIN_MS;
  const greeting = sessionSettings({
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    transaction_timeout: options.transactionTimeoutMs ?? TRANSACTION_TIMEOUT_MS,
  });
  const pool = openPool({ ...connection, max: options.poolSize }, greeting, [silence, replication]);

  async function withLine<Result>(work: (line: Line) => Promise<Result>) {
    if (pool.waitingCount >= MOST_WAITING) throw new DatabaseUnavailable('too many wait');
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
    let broken: unknown;
    // A connection that dies between two statements emits: without a listener the process ends.
    const onError = (error: unknown) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await work({ client, silence, silenceLimitMs, replication });
    } catch (error) {
      const isLost = error instanceof LostCommit;
      if (!isLost && !isUnavailable(error)) throw error;
      if (isLost || !isSessionFit(error)) broken = error;
      throw new DatabaseUnavailable(isLost ? error.cause : error, isLost);
    } finally {
      client.off('error', onError);
      client.release(broken !== undefined);
    }
  }

  return {
    query: (statement, values) => withLine((line) => runAlone(line, statement, values)),
    transaction: (work) => withLine((line) => inTransaction(line, work)),
    listen: createListening({ connection, silence, greeting }),
    poolUse: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      silence.close();
      await pool.end();
    },
  };
}

function openPool(
  config: pg.PoolConfig,
  greeting: pg.QueryConfig,
  [silence, replication]: readonly [SilenceWatch, ReplicationWatch],
): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    async onConnect(client) {
      silence.add(client);
      replication.add(client);
      silence.asked(client, GREETING_LIMIT_MS);
      await ask(client, greeting);
      silence.answered(client);
    },
  });
  // The pool drops an idle connection that breaks; the next statement makes a new connection.
  pool.on('error', () => {});
  return pool;
}

/** Sends one statement; the connection ends when the server stays silent. */
async function send(line: Line, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const { client, silence, silenceLimitMs, replication } = line;
  silence.asked(client, silenceLimitMs);
  try {
    const result = await ask(client, query);
    replication.refuseUnconfirmed(client);
    return result;
  } finally {
    silence.answered(client);
  }
}

async function run<Row>(
  line: Line,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  passStatement('before', statement.name, line);
  const { name, text } = statement;
  const query: pg.QueryArrayConfig = { name, text, values: [...values], rowMode: 'array' };
  const result = await send(line, query);
  passStatement('after', name, line);
  // A text with several statements has a list of results, of which no caller reads the rows.
  return Array.isArray(result) ? [] : (shapeRows(result.fields, result.rows) as Row[]);
}

/** Runs a statement that is its own transaction. */
async function runAlone<Row>(
  line: Line,
  statement: Statement,
  values?: readonly unknown[],
): Promise<Row[]> {
  try {
    return await run(line, statement, values);
  } catch (error) {
    if (isOutcomeUnknown(error) && mayWrite(statement)) throw new LostCommit(error);
    throw error;
  }
}

/** Whether the statement's text has a word that writes; FOR UPDATE counts too, to be safe. */
function mayWrite({ text }: Statement): boolean {
  return /\b(INSERT|UPDATE|DELETE|MERGE|TRUNCATE)\b/i.test(text);
}

async function inTransaction<Result>(
  line: Line,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  await send(line, BEGIN);
  let result: Result;
  try {
    result = await work({ query: (statement, values) => run(line, statement, values) });
  } catch (error) {
    // On a broken connection ROLLBACK fails at once: the server has rolled back by itself.
    await send(line, ROLLBACK).catch(() => {});
    throw error;
  }
  await commit(line);
  return result;
}

async function commit(line: Line): Promise<void> {
  let command: string;
  passCommit('before-commit', line);
  try {
    ({ command } = await send(line, COMMIT));
  } catch (error) {
    throw isOutcomeUnknown(error) ? new LostCommit(error) : error;
  }
  passCommit('after-commit', line);
  // When `work` ignored a failed statement, COMMIT answers ROLLBACK.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement failed.');
}
