import pg from 'pg';
import { DatabaseNotReached, describeConnectFault } from './describe-connect-fault.ts';

/** A server in good order answers in milliseconds; 5 s include a slow name and a busy host. */
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens one connection outside the pool, for the work of a start. The caller ends the connection.
 *
 * @throws DatabaseNotReached where the reason is known
 */
export async function connectClient(
  url: string,
  timeoutMs: number = CONNECT_TIMEOUT_MS,
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  // A connection that breaks between two statements emits; the next statement then fails.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => {});
    const fault = describeConnectFault(error);
    throw fault === null ? error : new DatabaseNotReached(fault, error);
  }
}
