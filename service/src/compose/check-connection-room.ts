import { type Config, ConfigFaults } from '#config.ts';
import { readConnectionRoom } from '#database/connection/connection-room.ts';
import { sharesSessions } from '#database/connection/shares-sessions.ts';

/** Beside the pool, a connection of each process listens on all channels. */
const LISTENING_CONNECTIONS = 1;

const TRANSACTION_POOLER =
  'DATABASE_URL leads to a connection pooler that shares sessions between connections ' +
  '(transaction or statement mode). Use its session mode (pgbouncer: pool_mode = session), or ' +
  'give the address of the server itself.';

/**
 * Refuses to start behind a pooler in transaction mode: half of the calls would fail. Refuses, too,
 * where all processes together could ask the database for more connections than it gives: the last
 * ones would fail, and only under load.
 *
 * @throws ConfigFaults
 */
export async function checkConnectionRoom(config: Config, processes: number): Promise<void> {
  if (await sharesSessions(config.databaseUrl)) throw new ConfigFaults([TRANSACTION_POOLER]);
  const { connections, because } = await readConnectionRoom(config.databaseUrl);
  const needed = processes * (config.databasePoolSize + LISTENING_CONNECTIONS);
  if (needed <= connections) return;
  const fits = Math.floor(connections / processes) - LISTENING_CONNECTIONS;
  const all = processes === 1 ? 'needs' : `with ${processes} processes needs`;
  const way = fits >= 2 ? `give ${fits} at most` : 'start fewer processes';
  throw new ConfigFaults([
    `DATABASE_POOL_SIZE ${config.databasePoolSize} ${all} up to ${needed} connections, and the ` +
      `database gives ${connections} (${because}): ${way}, or raise the database's limit.`,
  ]);
}
