import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.ts', import.meta.url));

/** Runs the proof as `npm run chaos` does. @returns its exit code and all that it printed */
export async function spawnChaos(
  options: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [RUN, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill('SIGTERM'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [, folder] = /history (\S+)\/history\.jsonl/.exec(output) ?? [];
  // The files of a run that failed explain it.
  if (code === 0 && folder) rmSync(folder, { recursive: true, force: true });
  return { code, output };
}
