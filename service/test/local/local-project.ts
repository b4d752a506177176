import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';

import { freePort } from '../support/free-port.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COPIED = ['package.json', 'package-lock.json', 'payreq', 'scripts'];
/** The SDK is found through node_modules. */
const COPIED_WORKSPACES = ['service', 'demo-shop'];
const NOT_OF_WORKSPACES = ['node_modules', 'test'];
/** Node.js compiles modules by their real paths: the copies of a test run share the work. */
const LINKED = ['src'];
/** Why these tests are skipped, if they are: they look for what is left running in /proc. */
export const WITHOUT_PROC = existsSync('/proc/self') ? false : 'there is no /proc';
/** A first start takes a minute at most (contract §2), and longer on a busy machine. */
const READY_MS = 180_000;
/** All that BASE_PORT moves, counted from it (contract §2), and the listeners of the README. */
const OFFSETS = [0, 2, 3, 4, 10, 11, 20, 21, 30];

/** A copy of the project, as a newcomer has it, with a folder and ports of its own. */
export interface LocalProject {
  readonly folder: string;
  readonly localDir: string;
  readonly basePort: number;
  /** Types `npm start`. */
  start(env?: Readonly<Record<string, string>>, command?: readonly string[]): Start;
  /** Every process of this copy that runs now. */
  processes(): readonly RunningProcess[];
  /** The members of credentials.json. */
  credentials(): Credentials;
  /** Ends what is left, which is a fault of its own, and removes the folder. */
  remove(): void;
}

export interface Start {
  readonly child: ChildProcess;
  output(): string;
  /** Settles at the line that starts with Ready; fails when it ends before. */
  ready(): Promise<void>;
  /** The exit code; null when a signal ended it. */
  ended(): Promise<number | null>;
}

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

export interface EnvironmentCredentials {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly paymentLinkBase: string;
  readonly opsUrl: string;
  readonly merchantId: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly listener: { username: string; password: string; signingSecret: string };
}

export interface Credentials {
  readonly sandbox: EnvironmentCredentials;
  readonly production: EnvironmentCredentials;
  readonly shopUrl: string;
  readonly inboxUrl: string;
  readonly tls: { ca: string; cert: string; key: string };
}

/** Copies the project into a folder whose path has a space in it. */
export async function copyProject(): Promise<LocalProject> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'npm start ')));
  // PostgreSQL's account must be able to pass where the tests run as root.
  chmodSync(top, 0o711);
  const folder = join(top, 'payment requests');
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const workspace of COPIED_WORKSPACES) {
    for (const name of readdirSync(join(ROOT, workspace))) {
      if (NOT_OF_WORKSPACES.includes(name)) continue;
      const [from, to] = [join(ROOT, workspace, name), join(folder, workspace, name)];
      if (LINKED.includes(name)) symlinkSync(from, to);
      else cpSync(from, to, { recursive: true });
    }
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const localDir = join(folder, '.local');
  const basePort = await freePort(Math.max(...OFFSETS) + 1);
  return {
    folder,
    localDir,
    basePort,
    start: (env = {}, command = [process.execPath, join(folder, 'scripts', 'start.mjs')]) =>
      startIn(folder, command, { BASE_PORT: `${basePort}`, ...env }),
    processes: () => processesOf(folder),
    credentials: () => JSON.parse(readFileSync(join(localDir, 'credentials.json'), 'utf8')),
    remove() {
      for (const { pid } of processesOf(folder)) kill(pid, 'SIGKILL');
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** Sends a signal; a process that is gone already is no fault. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** PostgreSQL's own process, which keeps its data in this LOCAL_DIR; null when none runs. */
export function postgresPid(localDir: string): number | null {
  const file = join(localDir, 'postgres', 'data', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
}

/** The process of this copy whose command holds this text. */
export function onlyProcess(project: LocalProject, part: string): number {
  const found = project.processes().find(({ command }) => command.includes(part));
  if (!found) throw new Error(`no process ${part}`);
  return found.pid;
}

/** Waits until no process of this copy runs any more. */
export async function untilNothingRuns(project: LocalProject): Promise<void> {
  await eventually(() => {
    const left = project.processes();
    if (left.length > 0) throw new Error(`still running: ${JSON.stringify(left)}`);
    return true;
  });
}

function startIn(
  folder: string,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Start {
  const { LOCAL_DIR: _, DATABASE_URL: __, ...inherited } = process.env;
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    output: () => output,
    ended: () => ended,
    ready() {
      return new Promise((resolve, reject) => {
        const fail = (what: string) => reject(new Error(`npm start ${what}: ${output}`));
        const timer = setTimeout(() => fail('is not ready in time'), READY_MS);
        ended.then((code) => {
          clearTimeout(timer);
          fail(`ended with exit code ${code}`);
        });
        child.stdout.on('data', () => {
          if (!/^Ready/m.test(output)) return;
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}

/** Reads /proc: a small machine has no `ps`. */
function processesOf(folder: string): readonly RunningProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const command = words.join(' ').trim();
      return command.includes(folder) ? [{ pid: Number(pid), command }] : [];
    } catch {
      // It has just ended.
      return [];
    }
  });
}
