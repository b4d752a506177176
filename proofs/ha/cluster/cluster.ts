import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../service/test/support/free-port.ts';
import type { TestAuthority } from '../../../service/test/support/webhooks/https-listener.ts';
import {
  type ClusterPlan,
  haproxyFile,
  MACHINES,
  type MachineName,
  type MachinePorts,
} from './deployment-files.ts';
import { type Account, createMachine, type Machine } from './machine.ts';
import { agreedLeader, type Member, newestView, readViews, type View } from './patroni-api.ts';
import { killAllIn } from './processes-in-folder.ts';

const LOOK_MS = 200;
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
/** The group of the folder's owner reads the file, as Debian does it. */
const PRIVATE = 0o600;

export interface ClusterOptions {
  readonly account: Account;
  readonly authority: TestAuthority;
  readonly signal: AbortSignal;
}

/** Three database machines and the HAProxy of a service machine, on loopback. */
export interface Cluster {
  readonly folder: string;
  readonly machines: Readonly<Record<MachineName, Machine>>;
  /** The address of a database at HAProxy. */
  url(user: string, password: string, database: string): string;
  /** The address of a database on one machine, past HAProxy, as the superuser. */
  urlOn(name: MachineName, database: string): string;
  /** The leader, once the cluster is in good order. @throws Error after `withinMs` */
  untilWhole(withinMs: number): Promise<Member>;
  /** The members in the newest view of the machines; null: nothing leads. */
  members(): Promise<View | null>;
  /** Makes another machine the leader, as an operator does before work on a machine. */
  switchOver(from: MachineName): Promise<void>;
  /** Ends every process, and removes the folder with its logs unless they are kept. */
  stop(how: { readonly keepsFolder: boolean }): Promise<void>;
}

/** Starts the machines and HAProxy from the very files of `deploy/high-availability`. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { account, authority, signal } = options;
  const folder = mkdtempSync(join(tmpdir(), 'payment-requests-ha-'));
  const own = (path: string) => account && chownSync(path, account.uid, account.gid);
  own(folder);
  const plan = await makePlan(folder);
  const { cert, key } = await authority.issue();
  const files = { 'server.crt': cert, 'server.key': key, 'ca.crt': authority.caPem };
  for (const [name, text] of Object.entries({ ...files, 'haproxy.cfg': haproxyFile(plan) })) {
    writeFileSync(join(folder, name), text, { mode: PRIVATE });
    own(join(folder, name));
  }
  const machines = Object.fromEntries(
    MACHINES.map((name) => [name, createMachine(plan, name, account)]),
  ) as Record<MachineName, Machine>;
  startHaproxy(folder, account);
  for (const machine of Object.values(machines)) machine.start();
  const authorityPath = encodeURIComponent(join(folder, 'ca.crt'));
  const query = `uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${authorityPath}`;
  const urlOf = (user: string, password: string, port: number, database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}?${query}`;

  return {
    folder,
    machines,
    members: async () => newestView(await readViews(plan.ports)),
    url: (user, password, database) => urlOf(user, password, plan.haproxyPort, database),
    urlOn(name, database) {
      const { superuser } = plan.passwords;
      return urlOf('postgres', superuser, plan.ports[name].postgres, database);
    },
    async untilWhole(withinMs) {
      const endsMs = performance.now() + withinMs;
      for (;;) {
        signal.throwIfAborted();
        const seen = await readViews(plan.ports);
        const leader = agreedLeader(seen);
        if (leader) return leader;
        if (performance.now() > endsMs) {
          throw new Error(`The cluster is not in good order: ${JSON.stringify(seen)}.`);
        }
        await wait(LOOK_MS);
      }
    },
    async switchOver(from) {
      const settings = join(folder, from, 'patroni.yml');
      const args = ['-c', settings, 'switchover', '--leader', from, '--force'];
      await promisify(execFile)('/usr/bin/patronictl', [...args, 'payment-requests'], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C.UTF-8' },
        ...account,
      });
    },
    async stop({ keepsFolder }) {
      await killAllIn(folder);
      if (!keepsFolder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startHaproxy(folder: string, account: Account): void {
  const log = openSync(join(folder, 'haproxy.log'), 'a');
  // -db: in the foreground.
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    cwd: folder,
    stdio: ['ignore', log, log],
    detached: true,
    ...account,
  });
  // The wait for the database notices a HAProxy that does not start.
  child.on('error', () => {});
}

async function makePlan(folder: string): Promise<ClusterPlan> {
  const machinePorts = async (): Promise<MachinePorts> => ({
    postgres: await freePort(),
    restApi: await freePort(),
    etcdClient: await freePort(),
    etcdPeer: await freePort(),
  });
  const ports = { db1: await machinePorts(), db2: await machinePorts(), db3: await machinePorts() };
  const secret = () => randomBytes(16).toString('hex');
  return {
    ports,
    haproxyPort: await freePort(),
    passwords: { superuser: secret(), replication: secret(), restApi: secret() },
    binDir: newestPrograms(),
    folder,
  };
}

/** Debian has a folder of programs for each version. */
function newestPrograms(): string {
  const versions = readdirSync(DEBIAN_POSTGRES).map(Number).filter(Number.isInteger);
  return join(DEBIAN_POSTGRES, `${Math.max(...versions)}`, 'bin');
}
