import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { COMMAND_LINE } from '../../service/test/support/service/command-line.ts';
import { compileCache } from '../../service/test/support/service/compile-cache.ts';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
/** A supervisor of the operating system waits like this before it starts a process again. */
const RESTART_MS = 500;
const READY_POLL_MS = 100;
const LIVE_POLL_MS = 300;
/** The exit code of a start that could not reach its database, for a supervisor to repeat. */
const NOT_REACHED = 69;
const PROBE_MS = 5_000;

/** The place of one process of the service, which a supervisor keeps filled. */
export interface ServiceSlot {
  readonly name: string;
  readonly role: 'api' | 'background';
  /** The process answers calls here, as in `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly proxy: DatabaseProxy;
  /** Whether the process has answered since its start: a fault finds it at work. */
  isUp(): boolean;
  /** Kills the process; the place stays empty until as many calls of `release`. */
  hold(): void;
  release(): void;
  /** Stops the process where it is. @returns what lets it go on */
  pause(): () => void;
  /** Kills the process; the next one has a clock that is off by so many hours; 0: a right one. */
  setClock(hours: number): void;
  /** Unasked ends of a process at work, as in `exit code 1`. */
  readonly ends: readonly string[];
  /** Starts that gave up, for a supervisor to repeat. */
  readonly failedStarts: readonly string[];
  /** Waits until the process is up, within the limit. */
  untilUp(limitMs: number): Promise<void>;
  /** @returns whether the process is ready within the limit */
  untilReady(limitMs: number): Promise<boolean>;
  /** The process has ended after this. */
  close(): Promise<void>;
}

export interface SlotOptions {
  readonly name: string;
  readonly role: 'api' | 'background';
  /** The value of `--roles`; the role of the place is among them. */
  readonly roles: string;
  readonly ports: { readonly port: number; readonly opsPort: number };
  readonly settings: Readonly<Record<string, string>>;
  readonly postgres: { readonly port: number; urlAt(port: number): string };
  readonly logPath: string;
}

/** Starts a process of the service behind a proxy of its own. */
export async function startServiceSlot(options: SlotOptions): Promise<ServiceSlot> {
  const { name, role, ports, postgres } = options;
  const opsOrigin = `http://127.0.0.1:${ports.opsPort}`;
  const proxy = await startDatabaseProxy({ host: '127.0.0.1', port: postgres.port });
  const log = openSync(options.logPath, 'a');
  const place = supervise(
    name,
    (clockHours) => spawnService(options, proxy.port, clockHours, log),
    () => isOk(`${opsOrigin}/health/live`),
  );
  return {
    ...place,
    name,
    role,
    origin: `http://127.0.0.1:${ports.port}`,
    proxy,
    async untilUp(limitMs) {
      const giveUpAt = performance.now() + limitMs;
      while (!place.isUp() && performance.now() < giveUpAt) await wait(READY_POLL_MS);
    },
    untilReady: (limitMs) => untilReady(`${opsOrigin}/health/ready`, limitMs),
    async close() {
      await place.close();
      await proxy.close();
      closeSync(log);
    },
  };
}

type Supervised = Pick<
  ServiceSlot,
  'isUp' | 'hold' | 'release' | 'pause' | 'setClock' | 'ends' | 'failedStarts' | 'close'
>;

/** Keeps a process running: the next one starts when the last one has ended. */
function supervise(
  name: string,
  spawnNext: (clockHours: number) => ChildProcess,
  isLive: () => Promise<boolean>,
): Supervised {
  const ends: string[] = [];
  const failedStarts: string[] = [];
  const asked = new WeakSet<ChildProcess>();
  let holds = 0;
  let clockHours = 0;
  let child: ChildProcess | null = null;
  let isUp = false;
  let isClosed = false;

  async function watchStart(started: ChildProcess): Promise<void> {
    while (child === started && !isUp) {
      isUp = (await isLive()) && child === started;
      await wait(LIVE_POLL_MS);
    }
  }

  function start(): void {
    if (isClosed || holds > 0 || child) return;
    const started = spawnNext(clockHours);
    child = started;
    watchStart(started);
    started.once('exit', (code, signal) => {
      const list = isUp && code !== NOT_REACHED ? ends : failedStarts;
      if (!asked.has(started)) list.push(`${name} ended: exit code ${code}, signal ${signal}`);
      child = null;
      isUp = false;
      setTimeout(start, asked.has(started) ? 0 : RESTART_MS);
    });
  }

  function kill(): void {
    if (!child) return;
    asked.add(child);
    isUp = false;
    child.kill('SIGKILL');
  }

  process.once('exit', kill);
  start();
  return {
    isUp: () => isUp,
    hold() {
      holds += 1;
      kill();
    },
    release() {
      holds -= 1;
      start();
    },
    pause: () => pauseProcess(child),
    setClock(hours) {
      clockHours = hours;
      kill();
    },
    ends,
    failedStarts,
    async close() {
      isClosed = true;
      const ended = child && once(child, 'exit');
      kill();
      await ended;
      process.off('exit', kill);
    },
  };
}

function pauseProcess(child: ChildProcess | null): () => void {
  child?.kill('SIGSTOP');
  return () => void child?.kill('SIGCONT');
}

function spawnService(
  { roles, ports, settings, postgres }: SlotOptions,
  proxyPort: number,
  clockHours: number,
  log: number,
): ChildProcess {
  const child = spawn(process.execPath, [COMMAND_LINE, 'serve', '--roles', roles], {
    env: {
      PATH: process.env.PATH ?? '',
      ...compileCache,
      ...settings,
      ...clockEnvironment(clockHours),
      DATABASE_URL: postgres.urlAt(proxyPort),
      PORT: `${ports.port}`,
      OPS_PORT: `${ports.opsPort}`,
    },
    // The channel ends the process when this one is killed.
    stdio: ['ignore', log, log, 'ipc'],
  });
  child.on('error', () => {});
  return child;
}

/** libfaketime moves the calendar clock alone: timers and durations stay right. */
function clockEnvironment(hours: number): Record<string, string> {
  if (hours === 0) return {};
  return {
    LD_PRELOAD: FAKETIME,
    FAKETIME: `${hours > 0 ? '+' : ''}${hours}h`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // The name of this variable up to version 0.9.10.
    DONT_FAKE_MONOTONIC: '1',
  };
}

async function untilReady(url: string, limitMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + limitMs;
  while (performance.now() < giveUpAt) {
    if (await isOk(url)) return true;
    await wait(READY_POLL_MS);
  }
  return false;
}

async function isOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
