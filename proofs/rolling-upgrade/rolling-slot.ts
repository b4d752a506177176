import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { compileCache } from '../../service/test/support/service/compile-cache.ts';

/** A load balancer looks as often; a slower one leaves more calls to be repeated. */
const LOOK_MS = 50;
/** The first start on a machine with other work to do. */
const READY_MS = 180_000;
/** Beyond the service's own limit of a stop, 20 s. */
const STOP_MS = 60_000;

export type Roles = 'api' | 'background';

export interface SlotOptions {
  readonly name: string;
  readonly roles: Roles;
  readonly ports: { readonly port: number; readonly opsPort: number };
  readonly settings: Readonly<Record<string, string>>;
  readonly logPath: string;
}

/** The place of one process, whose version is replaced. */
export interface RollingSlot {
  readonly name: string;
  readonly roles: Roles;
  readonly origin: string;
  /** The last state that the balancer saw. */
  isReady(): boolean;
  /** Stops the process by SIGTERM, starts the other version, and waits until it is ready. */
  replace(cli: string): Promise<void>;
  /** Ends that were no clean stop. */
  readonly ends: readonly string[];
  close(): Promise<void>;
}

/** Makes an empty place, which a balancer watches from now on. */
export function makeRollingSlot(options: SlotOptions): RollingSlot {
  const { name, roles, ports } = options;
  const log = openSync(options.logPath, 'a');
  const ends: string[] = [];
  let child: ChildProcess | null = null;
  let isReady = false;
  let isClosed = false;
  const watching = watch();
  const atEnd = () => void child?.kill('SIGKILL');
  process.once('exit', atEnd);

  async function watch(): Promise<void> {
    while (!isClosed) {
      isReady = await askReady(ports.opsPort);
      await wait(LOOK_MS);
    }
  }

  async function stop(): Promise<void> {
    const stopping = child;
    if (!stopping) return;
    child = null;
    const ended = new Promise<number | null>((resolve) => stopping.once('exit', resolve));
    stopping.kill('SIGTERM');
    const late = setTimeout(() => stopping.kill('SIGKILL'), STOP_MS);
    const code = await ended;
    clearTimeout(late);
    if (code !== 0) ends.push(`${name} stopped with ${code}`);
  }

  function start(cli: string): void {
    const started = spawnService(cli, options, log);
    child = started;
    started.once('exit', (code, signal) => {
      if (child === started) ends.push(`${name} ended: ${code ?? signal}`);
    });
  }

  return {
    name,
    roles,
    origin: `http://127.0.0.1:${ports.port}`,
    isReady: () => isReady,
    async replace(cli) {
      await stop();
      start(cli);
      const giveUpAt = performance.now() + READY_MS;
      isReady = false;
      while (!isReady) {
        if (performance.now() > giveUpAt) throw new Error(`${name} does not become ready`);
        await wait(LOOK_MS);
      }
    },
    ends,
    async close() {
      isClosed = true;
      await watching;
      await stop();
      process.off('exit', atEnd);
      closeSync(log);
    },
  };
}

function askReady(opsPort: number): Promise<boolean> {
  const signal = AbortSignal.timeout(1_000);
  return fetch(`http://127.0.0.1:${opsPort}/health/ready`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function spawnService(cli: string, { roles, ports, settings }: SlotOptions, log: number) {
  return spawn(process.execPath, [cli, 'serve', '--roles', roles], {
    env: {
      PATH: process.env.PATH ?? '',
      ...compileCache,
      ...settings,
      PORT: `${ports.port}`,
      OPS_PORT: `${ports.opsPort}`,
    },
    stdio: ['ignore', log, log],
  });
}
