import pg from 'pg';
import { isUnavailable } from './is-unavailable.ts';

/** One SQL statement with the name it is prepared under; an empty one: planned each time. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** What a store needs: the pool or a transaction, whichever the use case hands it. */
export interface Executor {
  /** Runs one prepared statement. Throws `DatabaseUnavailable` when the database cannot be used. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Executor {
  /** Runs `work` in one transaction: committed when it resolves, else rolled back. */
  transaction<Result>(work: (tx: Executor) => Promise<Result>): Promise<Result>;
  /**
   * Calls `onNotify` for each NOTIFY on `channel`, and without a payload when some may have been
   * missed; reconnects by itself. Returns the stop.
   */
  listen(channel: string, onNotify: (payload?: string) => void): () => Promise<void>;
  /** How the pool stands, for metrics. */
  poolUse(): { readonly open: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}

/** The database is away, read-only, starting or full. Nothing was lost; try again. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be used at the moment.', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName?: string;
  /** In milliseconds; 15,000 when left out. */
  readonly transactionTimeoutMs?: number;
}

/** A request waits at most this long for a connection; a caller without an answer tries again. */
const CONNECT_TIMEOUT_MS = 2_000;
/** No statement of ours is slow; one that takes 10 s is stuck behind a fault and must let go. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Below the statement limit, so that a lock wait is told apart from a slow statement. */
const LOCK_TIMEOUT_MS = 5_000;
/** An idle transaction holds back the feed and vacuum; ours are busy from begin to commit. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** All statements and pauses of a transaction together; above the statement limit, for the same. */
const TRANSACTION_TIMEOUT_MS = 15_000;
/** Requests that may wait for a connection; more would only wait for their own time-out. */
const MOST_WAITING = 1_000;
const RELISTEN_DELAY_MS = 1_000;

const OID_INT8 = 20;
const OID_DATE = 1082;

/** int8 as number (our largest is cents, far below 2^53), date as its text; the rest as pg does. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === OID_INT8) return Number;
    if (oid === OID_DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

/** Servers before PostgreSQL 17 have no such limit, and refuse its name: there nothing is set. */
const LIMIT_TRANSACTIONS = `SELECT set_config(name, $1, false) FROM pg_settings
  WHERE name = 'transaction_timeout'`;

const BEGIN: pg.QueryConfig = { text: 'BEGIN' };
const COMMIT: pg.QueryConfig = { text: 'COMMIT' };
const ROLLBACK: pg.QueryConfig = { text: 'ROLLBACK' };

/** Opens a pool of connections. Nothing is connected until the first statement. */
export function connectDatabase(options: DatabaseOptions): Database {
  const connection: pg.PoolConfig = {
    connectionString: options.url,
    application_name: options.applicationName ?? 'payment-requests',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types,
  };
  const limits = [`${options.transactionTimeoutMs ?? TRANSACTION_TIMEOUT_MS}`];
  const pool = new pg.Pool({
    ...connection,
    max: options.poolSize,
    onConnect: (client) => client.query(LIMIT_TRANSACTIONS, limits),
  });
  // An idle connection that breaks is already out of the pool; the next statement makes a new one.
  pool.on('error', () => {});

  async function withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>) {
    if (pool.waitingCount >= MOST_WAITING) throw new DatabaseUnavailable('too many wait');
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
    let broken: unknown;
    // A connection that dies between two statements emits; unheard it would end the process.
    const onError = (error: unknown) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      broken = error;
      throw new DatabaseUnavailable(error);
    } finally {
      client.off('error', onError);
      client.release(broken !== undefined);
    }
  }

  return {
    query: (statement, values) => withClient((client) => run(client, statement, values)),
    transaction: (work) => withClient((client) => inTransaction(client, work)),
    listen: (channel, onNotify) => listenOn(connection, channel, onNotify),
    poolUse: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  };
}

async function run<Row>(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await ask(client, { ...statement, values: [...values] });
  return rows as Row[];
}

/**
 * With a callback, because pg makes its own promise by a function that V8 puts among the old
 * objects: until these are collected it kept alive whatever waited for the answer. A collection was
 * due every second and a half under load, and took what had nothing to do with it along.
 */
async function ask(client: pg.ClientBase, query: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      client.query(query, (error: Error | null, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  } catch (error) {
    // As it comes it leads to the socket; from here it leads to whoever asked.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

async function inTransaction<Result>(
  client: pg.PoolClient,
  work: (tx: Executor) => Promise<Result>,
): Promise<Result> {
  await ask(client, BEGIN);
  try {
    const result = await work({
      query: (statement, values) => run(client, statement, values),
    });
    // After a failed statement that `work` took for no failure, COMMIT answers ROLLBACK.
    const { command } = await ask(client, COMMIT);
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back: a statement failed.');
    return result;
  } catch (error) {
    // Where even the rollback fails the connection is gone, and the transaction with it.
    await ask(client, ROLLBACK).catch(() => {});
    throw error;
  }
}

function listenOn(config: pg.ClientConfig, channel: string, onNotify: (payload?: string) => void) {
  let stopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client(config);
    client = fresh;
    let over = false;
    const again = () => {
      if (over) return;
      over = true;
      fresh.end().catch(() => {});
      if (!stopped) timer = setTimeout(connect, RELISTEN_DELAY_MS);
    };
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', ({ payload }) => onNotify(payload));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      // What was notified while nobody listened is found by looking once.
      onNotify();
    } catch {
      again();
    }
  }

  void connect();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
  };
}
