import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../service/test/support/free-port.ts';
import { childrenOf, isRunning } from '../../service/test/support/service/spawned-service.ts';

/** The PostgreSQL of one run alone, to crash and to fill. */
export interface ChaosPostgres {
  readonly port: number;
  /** The URL of PostgreSQL itself, past every proxy. */
  readonly databaseUrl: string;
  /** The URL for a process behind a proxy. */
  urlAt(port: number): string;
  /** Ends all processes of the server with SIGKILL. */
  crash(): Promise<void>;
  /** Shuts the server down without a checkpoint; the next start recovers. */
  stopAtOnce(): Promise<void>;
  /** Makes room on the disk, and starts the server again unless it serves. */
  start(): Promise<void>;
  /** Fills the disk of the server; null: the server has no disk of its own. */
  readonly fillDisk: (() => Promise<void>) | null;
  emptyDisk(): void;
  stop(): Promise<void>;
}

export interface ChaosPostgresOptions {
  readonly folder: string;
  /** Whether this process has a mount namespace of its own. */
  readonly hasNamespace: boolean;
  readonly signal: AbortSignal;
}

/** The scripts that start the PostgreSQL of all tests start this one in the same way. */
const SCRIPTS = new URL('../../scripts/postgres/', import.meta.url);
const TAIL_CHARACTERS = 2_000;

interface OwnPostgres {
  readonly folder: string;
  readonly account: { readonly uid: number; readonly gid: number } | undefined;
}

/** A new cluster takes 40 MB, its log 64 MB; the rows of ten minutes take some 100 MB. */
const DISK_MB = 600;
const FILLER = 'filler';
/** A write that repeats until the disk takes no more. */
const FILL_CHUNK = Buffer.alloc(1024 * 1024);
const SETTINGS = [
  'max_connections=200',
  // Small, so that the log needs new room all the time.
  'max_wal_size=64MB',
  'min_wal_size=32MB',
];
const NAME = 'payment_requests';
const ENDED_POLL_MS = 20;
const ENDED_POLLS = 500;
const CONNECT_MS = 5_000;
const SERVES_MS = 20_000;

export async function startChaosPostgres(options: ChaosPostgresOptions): Promise<ChaosPostgres> {
  const { folder, hasNamespace, signal } = options;
  const { prepareOwnPostgres } = await import(new URL('prepare.mjs', SCRIPTS).href);
  const { startPostgres } = await import(new URL('server.mjs', SCRIPTS).href);
  const place = join(folder, 'postgres');
  const own: OwnPostgres = await prepareOwnPostgres(place, () => {});
  const isSmall = hasNamespace && mountSmallDisk(own.folder, own.account);
  const password = randomBytes(24).toString('base64url');
  const port = await freePort();
  const log = openLog(join(folder, 'logs', 'postgresql.log'));
  const dataDir = join(own.folder, 'data');
  const filler = join(own.folder, FILLER);
  let server: { stop(): Promise<void> } | null = null;
  const launch = async () => {
    server = await startPostgres({
      ...own,
      port,
      password,
      settings: SETTINGS,
      log,
      signal,
      note: () => {},
    });
  };
  await launch();
  const urlAt = (at: number) => `postgres://postgres:${password}@127.0.0.1:${at}/${NAME}`;
  await makeDatabase(urlAt(port));

  /** Starts and ends come one at a time: two faults may meet. */
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.catch(() => {}).then(work);
    return turn;
  };
  const signalAll = async (name: NodeJS.Signals, withChildren: boolean) => {
    const pid = readPid(dataDir);
    if (pid === null) return;
    const pids = [pid, ...(withChildren ? childrenOf(pid) : [])];
    for (const each of pids) sendSignal(each, name);
    await untilEnded(pids);
  };
  return {
    port,
    databaseUrl: urlAt(port),
    urlAt,
    crash: () => inTurn(() => signalAll('SIGKILL', true)),
    stopAtOnce: () => inTurn(() => signalAll('SIGQUIT', false)),
    start: () =>
      inTurn(async () => {
        rmSync(filler, { force: true });
        const pid = readPid(dataDir);
        if (pid !== null && isRunning(pid) && (await serves(urlAt(port)))) return;
        // A server that met a full disk in its recovery may neither serve nor end.
        await signalAll('SIGKILL', true);
        await launch();
      }),
    fillDisk: isSmall ? () => inTurn(async () => fill(filler)) : null,
    emptyDisk: () => rmSync(filler, { force: true }),
    stop: () =>
      inTurn(async () => {
        rmSync(filler, { force: true });
        await server?.stop();
        if (isSmall) spawnSync('umount', ['-l', own.folder]);
        rmSync(own.folder, { recursive: true, force: true });
        closeSync(log.fd);
      }),
  };
}

/** @returns whether the folder now is a small disk of its own */
function mountSmallDisk(
  folder: string,
  account: { readonly uid: number; readonly gid: number } | undefined,
): boolean {
  const owner = account ? `,uid=${account.uid},gid=${account.gid}` : '';
  const options = `size=${DISK_MB}m,mode=0700${owner}`;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
}

function fill(path: string): void {
  try {
    for (let left = DISK_MB; left > 0; left -= 1) writeFileSync(path, FILL_CHUNK, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Whether the server takes a connection within its time of recovery. */
async function serves(url: string): Promise<boolean> {
  const giveUpAt = performance.now() + SERVES_MS;
  while (performance.now() < giveUpAt) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await wait(ENDED_POLL_MS * 10);
    }
  }
  return false;
}

async function makeDatabase(url: string): Promise<void> {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${NAME}`).finally(() => client.end());
}

/** The log of a server, as the scripts that start the server need it. */
function openLog(path: string) {
  const tail = () => readFileSync(path, 'utf8').slice(-TAIL_CHARACTERS);
  return { path, fd: openSync(path, 'a'), tail };
}

/** The process id in PostgreSQL's lock file; null: the server has ended in order. */
function readPid(dataDir: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10);
  } catch {
    return null;
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

async function untilEnded(pids: readonly number[]): Promise<void> {
  for (let poll = 0; poll < ENDED_POLLS && pids.some(isRunning); poll += 1) {
    await wait(ENDED_POLL_MS);
  }
}
