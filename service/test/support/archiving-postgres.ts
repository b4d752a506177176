import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** PostgreSQL 15 as Debian installs it. */
export const DEBIAN_15 = '/usr/lib/postgresql/15/bin';
const PAGE = new URL('../../../docs/operations/backup.md', import.meta.url);
const SCRIPTS = new URL('../../../scripts/', import.meta.url);
/** A base backup and a recovery of a few megabytes take seconds, on a busy machine a minute. */
const LONGEST_BLOCK_MS = 300_000;

/** A server on which the commands of the backup page run as they stand there. */
export interface ArchivingPostgres {
  readonly url: string;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs the commands below a heading of the page. */
  runBlock(heading: string, variables?: Readonly<Record<string, string>>): Promise<void>;
  /** Waits until the log up to now lies in the archive. */
  archiveAll(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes a cluster with Debian's programs and starts it; nothing is archived yet. */
export async function startArchivingPostgres(): Promise<ArchivingPostgres> {
  const { postgresAccount } = await import(new URL('postgres/account.mjs', SCRIPTS).href);
  const folder = mkdtempSync(join(tmpdir(), 'archiving-'));
  const account: { uid: number; gid: number } | undefined = postgresAccount(folder);
  const make = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (account) chownSync(path, account.uid, account.gid);
    return path;
  };
  chmodSync(folder, 0o711);
  const port = await freePort();
  const home = make('home');
  const data = join(home, 'data');
  const env = {
    PATH: `${process.env.PATH}`,
    LC_ALL: 'C',
    PGHOST: home,
    PGPORT: `${port}`,
    PGUSER: 'postgres',
    PGDATABASE: 'postgres',
    PGDATA: data,
    PGBIN: DEBIAN_15,
    BACKUPS: make('backups'),
    WAL: join(home, 'wal'),
  };
  const run = (script: string, variables: Readonly<Record<string, string>> = {}) =>
    new Promise<void>((resolve, reject) => {
      const options = {
        ...account,
        cwd: home,
        env: { ...env, ...variables },
        timeout: LONGEST_BLOCK_MS,
      };
      execFile('bash', ['-euo', 'pipefail', '-c', script], options, (error, stdout, stderr) =>
        error ? reject(new Error(`${script}\n${stdout}${stderr}`, { cause: error })) : resolve(),
      );
    });
  await run(`"$PGBIN/initdb" --no-sync --auth=trust --username=postgres --encoding=UTF8 >/dev/null
    echo "port = $PGPORT
    listen_addresses = '127.0.0.1'
    unix_socket_directories = '$PGHOST'
    max_connections = 100" >> "$PGDATA/postgresql.conf"
    "$PGBIN/pg_ctl" --wait --log="$PGDATA/start.log" start >/dev/null
    createdb payments`);
  const url = `postgres://postgres@127.0.0.1:${port}/payments`;

  async function sql<Row>(text: string, values?: unknown[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }
  return {
    url,
    sql: sql as ArchivingPostgres['sql'],
    runBlock: (heading, variables) => run(blocksBelow(heading), variables),
    async archiveAll() {
      const [row] = await sql<{ file: string }>(
        'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file, pg_switch_wal()',
      );
      await eventually(async () => {
        const [last] = await sql<{ isDone: boolean }>(
          'SELECT last_archived_wal >= $1 AS "isDone" FROM pg_stat_archiver',
          [row?.file],
        );
        return last?.isDone;
      }, 'the archive');
    },
    async stop() {
      await run('"$PGBIN/pg_ctl" --mode=immediate stop || true');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The `sh` blocks below a heading of the second level. */
function blocksBelow(heading: string): string {
  const page = readFileSync(PAGE, 'utf8');
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text);
  if (blocks.length === 0) throw new Error(`The page has no commands below "${heading}".`);
  return blocks.join('\n');
}
