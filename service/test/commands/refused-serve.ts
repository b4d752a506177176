import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../support/service/compile-cache.ts';
import type { Ran } from './run-cli.ts';

const HOST = fileURLToPath(new URL('refused-serve-host.ts', import.meta.url));

/** The host reads and writes one line of JSON each. The log of `serve` has other lines. */
export interface HostOrder {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
export interface HostAnswer {
  readonly ran?: Omit<Ran, 'json'>;
}

/** It ends with this process, which closes its standard input. */
let host:
  | { readonly child: ChildProcessWithoutNullStreams; readonly lines: AsyncIterator<string> }
  | undefined;

/**
 * Runs `payreq serve` where it must refuse to start, one at a time. `serve` takes over its process,
 * so it runs in another one. All refusals share that process: each would need 1.5 s of CPU for its
 * own. `spawnCli` proves that the exit code is the process's.
 */
export async function refusedServe(
  args: readonly string[],
  env: HostOrder['env'],
): Promise<Omit<Ran, 'json'>> {
  host ??= startHost();
  const { child, lines } = host;
  child.stdin.write(`${JSON.stringify({ args: ['serve', ...args], env } satisfies HostOrder)}\n`);
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`serve ${args.join(' ')} ended its process`);
    const { ran }: HostAnswer = JSON.parse(value);
    if (ran) return ran;
  }
}

function startHost(): NonNullable<typeof host> {
  const child = spawn(process.execPath, ['--', HOST], { env: { ...compileCache } });
  child.stderr.resume();
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}
