import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ClusterPlan,
  etcdEnvironment,
  type MachineName,
  patroniFile,
} from './deployment-files.ts';
import { killAllIn, processesIn, signalAll } from './processes-in-folder.ts';

/** The account of every program: PostgreSQL refuses root. null: the account of this process. */
export type Account = { readonly uid: number; readonly gid: number } | null;

/** A process may start another while the first round is under way. */
const FREEZE_ROUNDS = 3;

/** A database machine: etcd, and Patroni with its PostgreSQL. */
export interface Machine {
  readonly name: MachineName;
  /** Starts the programs that do not run. */
  start(): void;
  /** Kills every process with SIGKILL: the machine loses its power. */
  kill(): Promise<void>;
  /** Stops every process with SIGSTOP: the machine hangs. */
  freeze(): void;
  /** Continues the processes that are frozen. */
  thaw(): void;
  /** Kills the postmaster alone; Patroni goes on. */
  crashPostgres(): void;
  /** The lines that Patroni and PostgreSQL have logged since the last call. */
  newLog(): string;
}

export function createMachine(plan: ClusterPlan, name: MachineName, account: Account): Machine {
  const folder = join(plan.folder, name);
  const logPath = join(folder, 'patroni.log');
  const settings = join(folder, 'patroni.yml');
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(settings, patroniFile(plan, name), { mode: 0o600 });
  if (account) for (const path of [folder, settings]) chownSync(path, account.uid, account.gid);

  function run(program: string, args: readonly string[], env: Record<string, string>, log: string) {
    const file = openSync(log, 'a');
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', file, file],
      // A group of its own, so that Ctrl-C does not reach it before the service has ended.
      detached: true,
      ...account,
    });
    // The wait for the cluster notices a program that does not start.
    child.on('error', () => {});
    return child;
  }

  let readTo = 0;
  const children: { etcd?: ChildProcess; patroni?: ChildProcess } = {};
  return {
    name,
    start() {
      const etcdLog = join(folder, 'etcd.log');
      if (isOver(children.etcd)) {
        children.etcd = run('/usr/bin/etcd', [], etcdEnvironment(plan, name), etcdLog);
      }
      if (isOver(children.patroni)) {
        children.patroni = run('/usr/bin/patroni', [settings], {}, logPath);
      }
      chmodSync(logPath, 0o600);
    },
    kill: () => killAllIn(folder),
    freeze() {
      for (let round = 0; round < FREEZE_ROUNDS; round += 1)
        signalAll(processesIn(folder), 'SIGSTOP');
    },
    thaw: () => signalAll(processesIn(folder), 'SIGCONT'),
    crashPostgres() {
      const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    newLog() {
      const log = readFileSync(logPath, 'utf8');
      const fresh = log.slice(readTo);
      readTo = log.length;
      return fresh;
    },
  };
}

function isOver(child: ChildProcess | undefined): boolean {
  return !child || child.exitCode !== null || child.signalCode !== null;
}
