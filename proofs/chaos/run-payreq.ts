import { spawn } from 'node:child_process';
import { COMMAND_LINE } from '../../service/test/support/service/command-line.ts';
import { compileCache } from '../../service/test/support/service/compile-cache.ts';

/** The first migration of an empty database takes seconds. */
const COMMAND_MS = 180_000;

/** Brings the schema into an empty database, before several processes start on it. */
export async function migrateDatabase(settings: Readonly<Record<string, string>>): Promise<void> {
  const { code, output } = await runPayreq(['migrate'], settings);
  if (code !== 0) throw new Error(`payreq migrate ended with ${code}: ${output}`);
}

/** `payreq doctor`: the service's own look at its rows. @returns its faults */
export async function runDoctor(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const { code, output } = await runPayreq(['doctor', '--json'], settings);
  if (code === 0) return [];
  try {
    const { checks } = JSON.parse(output) as { checks: { ok: boolean; message: string }[] };
    return checks.filter(({ ok }) => !ok).map(({ message }) => `payreq doctor: ${message}`);
  } catch {
    return [`payreq doctor ended with ${code}: ${output}`];
  }
}

function runPayreq(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [COMMAND_LINE, ...args], {
    env: { PATH: process.env.PATH ?? '', ...compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
