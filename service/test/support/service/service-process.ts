import { type ChildProcess, spawn } from 'node:child_process';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { COMMAND_LINE } from './command-line.ts';
import { compileCache } from './compile-cache.ts';

/** A start takes a second of CPU: half a minute where twenty processes share two processors. */
const READY_MS = 180_000;

export interface ServiceProcess {
  readonly url: string;
  readonly opsUrl: string;
  /** All that it printed, log lines included. */
  output(): string;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** Starts `payreq serve` as a process of its own and waits until it is ready. */
export async function startServiceProcess(
  settings: Readonly<Record<string, string>>,
  roles = 'api,background',
): Promise<ServiceProcess> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [COMMAND_LINE, 'serve', '--roles', roles], {
    env: {
      PATH: process.env.PATH ?? '',
      ...compileCache,
      ...settings,
      PORT: `${port}`,
      OPS_PORT: `${opsPort}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const over = new Promise<number | null>((resolve) => child.once('exit', resolve));
  // The child ends with the test, however the test ends.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  try {
    const isReady = async () => (await fetch(`${opsUrl}/health/ready`)).ok;
    // An ended process never becomes ready.
    await eventually(async () => isOver(child) || (await isReady()), 'readiness', READY_MS);
    if (isOver(child)) throw new Error(`payreq serve ended: ${output}`);
  } catch (error) {
    // Its pipes would keep the test's process alive for ever.
    child.kill('SIGKILL');
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl,
    output: () => output,
    kill(signal) {
      child.kill(signal);
      return over;
    },
  };
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
