import pg from 'pg';
import { DatabaseNotReached, describeConnectFault } from './describe-connect-fault.ts';
import { sessionSettings } from './session-settings.ts';

/** A server in good order answers in milliseconds; 5 s include a slow name and a busy host. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** The questions of a start read a few rows of the catalogue. */
const QUERY_TIMEOUT_MS = 5_000;
/** The kernel of a peer that is gone is asked from then on, each second, ten times. */
const KEEP_ALIVE_DELAY_MS = 5_000;
/** No limits of the server: a migration's statement is bounded by its client alone. */
const NO_LIMITS = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  transaction_timeout: 0,
};

export interface ConnectClientOptions {
  /** For the connection itself; 5,000 when left out. */
  readonly timeoutMs?: number;
  /** For each answer; 5,000 when left out. */
  readonly queryTimeoutMs?: number;
}

/**
 * Opens one connection outside the pool, for the work of a start. The caller ends the connection.
 *
 * @throws DatabaseNotReached where the reason is known
 */
export async function connectClient(
  url: string,
  options: ConnectClientOptions = {},
): Promise<pg.Client> {
  const { timeoutMs = CONNECT_TIMEOUT_MS, queryTimeoutMs = QUERY_TIMEOUT_MS } = options;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  });
  // The types of pg lack the time-out of a single statement.
  const greeting = { ...sessionSettings(NO_LIMITS), query_timeout: timeoutMs };
  // A connection that breaks between two statements emits; the next statement then fails.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(greeting);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    const fault = describeConnectFault(error);
    throw fault === null ? error : new DatabaseNotReached(fault, error);
  }
}
