import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../support/service/compile-cache.ts';

export const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** A command takes a fraction of a second; more than this is a command that hangs. */
const LONGEST_RUN_MS = 20_000;

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The standard output as JSON; throws where it is not. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  json(): any;
}

/** Runs `payreq` as an operator does: a process of its own with these settings and no others. */
export function runCli(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<Ran>((resolve, reject) => {
    const options = { env: { ...compileCache, ...env }, timeout: LONGEST_RUN_MS };
    execFile(process.execPath, ['--', CLI, ...args], options, (error, stdout, stderr) => {
      const exitCode = error ? error.code : 0;
      if (typeof exitCode !== 'number') return reject(error);
      resolve({ exitCode, stdout, stderr, json: () => JSON.parse(stdout) });
    });
  });
}
