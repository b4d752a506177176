import { randomBytes } from 'node:crypto';

/** The scripts of `npm test` that start a PostgreSQL; they are JavaScript without declarations. */
const script = (path: string) => new URL(`../../scripts/${path}`, import.meta.url).href;

/** The data lives no longer than the run. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=300',
];

/** Runs `work` beside a PostgreSQL of its own, as `npm test` does. */
export async function withTestDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return work(given);
  const { openLogFile } = await import(script('state/log-files.mjs'));
  const { findFreePort } = await import(script('state/ports.mjs'));
  const { prepareLocalDir } = await import(script('state/settings.mjs'));
  const { prepareOwnPostgres } = await import(script('postgres/prepare.mjs'));
  const { startPostgres } = await import(script('postgres/server.mjs'));
  const { makeTestFolder, postgresFolderIn } = await import(script('test/test-folder.mjs'));
  const folder = makeTestFolder();
  try {
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
    try {
      await work(server.url('postgres', password, 'postgres'));
    } finally {
      await server.stop();
    }
  } finally {
    await folder.remove();
  }
}
