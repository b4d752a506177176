import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

/** Debian's PostgreSQL; ours for tests has no pg_basebackup. */
const BIN = ['17', '16', '15']
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((folder) => existsSync(join(folder, 'pg_basebackup')));

/** The reason to skip; false where the programs are there. */
export const WITHOUT_BASEBACKUP =
  BIN === undefined && 'there is no pg_basebackup: apt-get install postgresql';

/** PostgreSQL refuses root; Debian's programs of PostgreSQL bring an account. */
const ACCOUNT = process.getuid?.() === 0 ? accountOf('postgres') : {};

/** A primary, and a physical replica that follows it. */
export interface ReplicaPair {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** Ends the replica as a crash would. */
  killReplica(): Promise<void>;
  close(): Promise<void>;
}

/** @returns after the replica has connected */
export async function startReplicaPair(): Promise<ReplicaPair> {
  const folder = mkdtempSync(join(tmpdir(), 'payreq-replica-'));
  if ('uid' in ACCOUNT) chownSync(folder, ACCOUNT.uid ?? 0, ACCOUNT.gid ?? 0);
  const [primary, replica] = [join(folder, 'primary'), join(folder, 'replica')];
  const [primaryPort, replicaPort] = [await freePort(), await freePort()];
  run('initdb', '--pgdata', primary, '--auth=trust', '--username=postgres', '--no-sync');
  const started = [await start(primary, primaryPort)];
  run(
    'pg_basebackup',
    '--pgdata',
    replica,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
    '--dbname',
    urlOf(primaryPort),
  );
  const standby = await start(replica, replicaPort);
  started.push(standby);
  return {
    primaryUrl: urlOf(primaryPort),
    replicaUrl: urlOf(replicaPort),
    killReplica: () => end(standby, 'SIGQUIT'),
    async close() {
      await Promise.all(started.map((server) => end(server, 'SIGQUIT')));
      rmSync(folder, { recursive: true });
    },
  };
}

async function start(dataDir: string, port: number): Promise<ChildProcess> {
  const settings = [`port=${port}`, 'fsync=off', 'hot_standby=on', 'listen_addresses=127.0.0.1'];
  const options = settings.flatMap((setting) => ['-c', setting]);
  const server = spawn(join(BIN ?? '', 'postgres'), ['-D', dataDir, ...options, '-k', dataDir], {
    ...ACCOUNT,
    cwd: '/',
    stdio: 'ignore',
  });
  const isReady = async () =>
    spawnSync(join(BIN ?? '', 'pg_isready'), ['-h', '127.0.0.1', '-p', `${port}`]).status === 0;
  await eventually(isReady, 'a PostgreSQL that answers');
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(BIN ?? '', program), args, { ...ACCOUNT, cwd: '/' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}

function urlOf(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}

function accountOf(name: string): { readonly uid?: number; readonly gid?: number } {
  const id = (flag: string) => Number(`${spawnSync('id', [flag, name]).stdout}`.trim());
  return { uid: id('-u'), gid: id('-g') };
}
