import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The scripts of `npm test` that start a PostgreSQL; they are JavaScript without declarations. */
const script = (path: string) => new URL(`../../scripts/${path}`, import.meta.url).href;

/** The data lives no longer than the run. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'scram_iterations=1',
  'max_connections=300',
];
/** Trials side by side: each has a server of its own, whose left databases it drops. */
const SERVERS = 2;

/** Runs `work` beside PostgreSQL servers of its own, made as `npm test` makes one. */
export async function withTestDatabases(
  work: (urls: readonly [string, ...string[]]) => Promise<void>,
): Promise<void> {
  const { openLogFile } = await import(script('state/log-files.mjs'));
  const { findFreePort } = await import(script('state/ports.mjs'));
  const { prepareLocalDir } = await import(script('state/settings.mjs'));
  const { prepareOwnPostgres } = await import(script('postgres/prepare.mjs'));
  const { startPostgres } = await import(script('postgres/server.mjs'));
  const { makeTestFolder, postgresFolderIn } = await import(script('test/test-folder.mjs'));
  const undo: (() => Promise<void>)[] = [];
  const start = async (): Promise<string> => {
    const folder = makeTestFolder({ isInMemory: true });
    undo.push(async () => folder.remove());
    prepareLocalDir(folder.path);
    const own = await prepareOwnPostgres(postgresFolderIn(folder.path), () => {});
    const password = randomBytes(24).toString('base64url');
    const server = await startPostgres({
      ...own,
      port: await findFreePort(),
      password,
      settings: SETTINGS,
      log: openLogFile(folder.path, 'postgresql'),
      signal: new AbortController().signal,
      note: () => {},
    });
    undo.push(() => server.stop());
    return server.url('postgres', password, 'postgres');
  };
  try {
    const others: string[] = [];
    const first = await start();
    while (others.length < SERVERS - 1) others.push(await start());
    await work([first, ...others]);
  } finally {
    for (const each of undo.reverse()) await each();
  }
}

/** Drops the databases that a test left as it was ended at its first failure. */
export async function dropLeftDatabases(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      `SELECT datname FROM pg_database WHERE datname LIKE 'payreq\\_test\\_%'`,
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
