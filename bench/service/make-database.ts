import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Creates a database for a part of the bench. @returns its URL */
export async function makeDatabase(serverUrl: string): Promise<string> {
  const name = `payreq_bench_${randomBytes(4).toString('hex')}`;
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates a database of this name, unless a run before has kept it. @returns its URL */
export async function makeNamedDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database and ends its connections. */
export async function dropDatabase(serverUrl: string, databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await runOn(serverUrl, `DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}

async function runOn(serverUrl: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
