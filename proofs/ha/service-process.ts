import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../service/test/support/free-port.ts';
import { COMMAND_LINE } from '../../service/test/support/service/command-line.ts';
import { compileCache } from '../../service/test/support/service/compile-cache.ts';

/** A start takes 3 s; a machine with much other work has taken a minute. */
const START_MS = 150_000;
const LOOK_MS = 200;
/** A probe writes to the database, and gives up after 2 s. */
const PROBE_MS = 5_000;

/** A process of the service; it is never started again. */
export interface ServiceProcess {
  readonly role: string;
  readonly url: string;
  /** Whether the process says that it can write. */
  isReady(): Promise<boolean>;
  kill(): void;
}

/** Starts `payreq serve` with one role, and waits until it is ready. */
export async function startServiceProcess(
  settings: Readonly<Record<string, string>>,
  role: string,
): Promise<ServiceProcess> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const addresses = { PORT: `${port}`, OPS_PORT: `${opsPort}` };
  const child = spawn(process.execPath, [COMMAND_LINE, 'serve', '--roles', role], {
    env: { PATH: process.env.PATH ?? '', ...compileCache, ...settings, ...addresses },
    stdio: 'ignore',
  });
  const kill = () => void child.kill('SIGKILL');
  // The process ends with the proof, however the proof ends.
  process.once('exit', kill);
  const isReady = () => canWrite(`http://127.0.0.1:${opsPort}/health/ready`);
  const endsMs = performance.now() + START_MS;
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`payreq serve ended with ${child.exitCode}.`);
    if (performance.now() > endsMs) throw new Error('payreq serve does not become ready.');
    await wait(LOOK_MS);
  }
  return { role, url: `http://127.0.0.1:${port}`, isReady, kill };
}

async function canWrite(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })).ok;
  } catch {
    return false;
  }
}
