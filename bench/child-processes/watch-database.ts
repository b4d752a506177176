import { readdirSync } from 'node:fs';
import pg from 'pg';
import { timesOf } from './process-times.ts';

/** The time that a PostgreSQL server has spent; a figure is absent when nobody can tell it. */
export interface DatabaseTime {
  /** User and system time of all processes of the server; absent for a server elsewhere. */
  readonly databaseSeconds?: number;
  /** Planning and execution by pg_stat_statements; absent on a server without this extension. */
  readonly statementSeconds?: number;
}

export interface DatabaseWatch {
  /** The times since the server started. */
  read(): Promise<DatabaseTime>;
  end(): Promise<void>;
}

/** Opens a connection of its own, so that a busy pool does not delay the readings. */
export async function watchDatabase(serverUrl: string): Promise<DatabaseWatch> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const pid = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid as number;
  const serverPid = timesOf(pid)?.parent;
  const hasStatements = await loadStatements(client);
  return {
    async read() {
      const databaseSeconds = serverPid === undefined ? undefined : serverSeconds(serverPid);
      return {
        ...(databaseSeconds !== undefined && { databaseSeconds }),
        ...(hasStatements && { statementSeconds: await readStatements(client) }),
      };
    },
    end: () => client.end(),
  };
}

/** The server counts only when it was started with the extension's library. */
async function loadStatements(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('SHOW shared_preload_libraries');
  if (!`${rows[0].shared_preload_libraries}`.includes('pg_stat_statements')) return false;
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  return true;
}

async function readStatements(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT sum(total_plan_time + total_exec_time) / 1000 AS seconds FROM pg_stat_statements',
  );
  return Number(rows[0].seconds);
}

/** A process that has ended counts in the time of the children that its parent waited for. */
function serverSeconds(serverPid: number): number | undefined {
  const server = timesOf(serverPid);
  if (!server) return undefined;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => timesOf(Number(name)) ?? [])
    .filter(({ parent }) => parent === serverPid)
    .reduce((sum, { seconds }) => sum + seconds, server.seconds + server.endedChildrenSeconds);
}
