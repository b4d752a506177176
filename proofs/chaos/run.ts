/**
 * `npm run chaos` puts processes of the service under load and breaks them by a seeded schedule of
 * faults. Then a checker compares acknowledged answers with stored rows, webhooks, feed and ledger.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printVerdict } from '../history/print-verdict.ts';
import { readOptions } from './read-options.ts';
import { createStopping } from './stopping.ts';

/** Marks the second start of this file, whose mounts no other process sees. */
const IN_NAMESPACE = 'CHAOS_MOUNT_NAMESPACE';
/** The time in which all processes must stop, within the limit of the run. */
const STOP_MS = 30_000;

const args = process.argv.slice(2);
const hasNamespace = process.env[IN_NAMESPACE] === 'yes';
process.exit(!hasNamespace && mayUnshare() ? await runInNamespace() : await run());

async function run(): Promise<number> {
  const stopping = createStopping();
  const print = (line: string) => console.log(line);
  let exitCode = 1;
  try {
    const { seed, seconds, endMinutes } = readOptions(args);
    // The first of two starts of this file does not need the service’s modules.
    const { runChaos } = await import('./run-chaos.ts');
    const lastMs = (seconds + endMinutes * 60) * 1_000 - STOP_MS;
    const late = new Error(`the run has not ended ${endMinutes} minutes after its load`);
    setTimeout(() => stopping.request(late), lastMs).unref();
    const stopped = new Promise<never>((_, reject) => {
      stopping.signal.addEventListener('abort', () => reject(stopping.signal.reason));
    });
    const { signal, onStop } = stopping;
    const limitMs = (endMinutes * 60_000) / 2;
    const where = { folder: makeFolder(), hasNamespace };
    const running = runChaos({ seed, seconds, ...where, signal, onStop, print, limitMs });
    // After a stop a failure of the run is ignored.
    running.catch(() => {});
    exitCode = printVerdict(await Promise.race([running, stopped]), print);
  } catch (error) {
    console.error(`chaos failed: ${error instanceof Error ? error.message : error}`);
  }
  const isStopped = await Promise.race([
    stopping.undoAll().then(() => true),
    new Promise<false>((resolve) => setTimeout(resolve, STOP_MS, false)),
  ]);
  if (!isStopped) console.error('chaos failed: its processes do not end');
  return isStopped ? exitCode : 1;
}

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'payment-requests-chaos-')));
  // PostgreSQL's own account must be able to pass.
  chmodSync(folder, 0o711);
  return folder;
}

function mayUnshare(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0;
}

/** Runs this file again in a mount namespace of its own. @returns its exit code */
function runInNamespace(): Promise<number> {
  const script = fileURLToPath(import.meta.url);
  const child = spawn('unshare', ['-m', process.execPath, script, ...args], {
    env: { ...process.env, [IN_NAMESPACE]: 'yes' },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
