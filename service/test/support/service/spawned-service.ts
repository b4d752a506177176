import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#lib/clock.ts';
import { rotatingKey } from '#lib/secret-key.ts';
import { onboardMerchant } from '#merchants/onboard-merchant.ts';
import type { TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { COMMAND_LINE } from './command-line.ts';
import { compileCache } from './compile-cache.ts';
import { buyToken, callAt } from './service.ts';

/** The command that an operator types. */
export const PAYREQ = fileURLToPath(new URL('../../../../payreq', import.meta.url));

/** The longest grace period of a test, and time for a machine that has other work to do. */
const LONGEST_END_MS = 180_000;

export interface LogLine {
  readonly pid: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface SpawnedService {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Every log line so far. */
  readonly lines: readonly LogLine[];
  stderr(): string;
  /** Waits for a log line with this message. */
  line(message: string): Promise<LogLine>;
  /** Waits for the start, and gives the addresses of both listeners. */
  started(): Promise<{ readonly url: string; readonly opsUrl: string }>;
  /** Sends a signal to all processes, as systemd does. */
  signalGroup(signal: NodeJS.Signals): void;
  /** Exit code and signal; rejects when it does not end in a minute. */
  ended(): Promise<readonly [number | null, NodeJS.Signals | null]>;
}

export interface SpawnOptions {
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Left out: this Node.js and the command line's file. */
  readonly command?: readonly string[];
  /** Whether the process has a channel to us, as the parts of `npm start` have. */
  readonly hasChannel?: boolean;
  /** Another account; only root can choose one. */
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts `payreq serve` in a process group of its own. It never outlives the test. */
export function spawnService(options: SpawnOptions): SpawnedService {
  const [command = '', ...first] = options.command ?? [process.execPath, '--', COMMAND_LINE];
  const child = spawn(command, [...first, 'serve', ...(options.args ?? [])], {
    env: { PATH: process.env.PATH ?? '', ...compileCache, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.hasChannel ? ['ipc' as const] : [])],
    detached: true,
    ...(options.uid !== undefined && { uid: options.uid }),
    ...(options.gid !== undefined && { gid: options.gid }),
  });
  const pid = child.pid ?? 0;
  const lines: LogLine[] = [];
  let rest = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part));
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal);
    } catch {
      // All of them have ended.
    }
  };
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('exit', (code, signal) => resolve([code, signal]));
  });
  process.once('exit', () => signalGroup('SIGKILL'));

  async function line(message: string): Promise<LogLine> {
    return eventually(() => {
      const found = lines.find(({ msg }) => msg === message);
      if (found) return found;
      if (child.exitCode === null && child.signalCode === null) return false;
      throw new Error(`ended without "${message}": ${stderr}${JSON.stringify(lines)}`);
    }, `the line "${message}"`);
  }

  return {
    child,
    pid,
    lines,
    stderr: () => stderr,
    line,
    async started() {
      const { port, opsPort } = await line('service started');
      return { url: `http://127.0.0.1:${port}`, opsUrl: `http://127.0.0.1:${opsPort}` };
    },
    signalGroup,
    ended: async () => {
      const late = new AbortController();
      const never = wait(LONGEST_END_MS, 'it does not end', { signal: late.signal });
      const end = await Promise.race([ended, never]);
      late.abort();
      never.catch(() => {});
      if (typeof end === 'string') throw new Error(`${end}: ${JSON.stringify(lines)}`);
      return end;
    },
  };
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Whether a process runs; one that has ended and waits to be looked at does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
  } catch {
    return false;
  }
}

/** Makes a merchant of a spawned service. @returns the headers of its calls */
export async function authorizeAt(
  url: string,
  database: Pick<TestDatabase, 'db'>,
  settings: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const key = (name: string) => rotatingKey(settings[name] ?? '');
  const merchant = await onboardMerchant(
    {
      db: database.db,
      clock: systemClock,
      environment: settings.ENVIRONMENT === 'production' ? 'production' : 'sandbox',
      cell: 1,
      credentialsPepper: key('CREDENTIALS_PEPPER'),
      secretsKey: key('SECRETS_KEY'),
      checkWebhookUrl: async () => ({ allowed: true }),
      actor: 'test',
    },
    { name: 'Shop', webhookUrl: null, webhookOrigins: [] },
  );
  const call: Parameters<typeof buyToken>[0] = (method, path, how = {}) =>
    callAt(url + path, method, how);
  const token = await buyToken(call, merchant);
  return { 'x-api-key': merchant.apiKey, authorization: `Bearer ${token}` };
}
