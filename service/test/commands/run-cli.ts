import { execFile } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '#commands/program.ts';
import { createDatabaseClock } from '#lib/clock.ts';
import { COMMAND_LINE } from '../support/service/command-line.ts';
import { compileCache } from '../support/service/compile-cache.ts';

/**
 * A command takes a fraction of a second, and 20 s were seen on a machine with twelve times the work
 * that it can do; more than this is a command that hangs.
 */
const LONGEST_RUN_MS = 120_000;

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The standard output as JSON; throws where it is not. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  json(): any;
}

type Settings = Readonly<Record<string, string>>;

export interface RunOptions {
  /** Interrupts the command, as SIGINT interrupts a process. */
  readonly signal?: AbortSignal;
  /** The command line is wrong, so that even `serve` ends before it does anything. */
  readonly isRefused?: boolean;
  /** What a person or a pipe types; left out: nothing. */
  readonly stdin?: Readable;
}

/**
 * Runs a command of `payreq` in this process, with these settings and no others, and without a
 * terminal. `serve` needs a process of its own: see `spawnCli`.
 */
export async function runCli(
  args: readonly string[],
  env: Settings = {},
  { signal = new AbortController().signal, isRefused = false, stdin }: RunOptions = {},
): Promise<Ran> {
  if (args.includes('serve') && !isRefused)
    throw new Error('serve ends its process: run it with spawnCli');
  const { ended, stdout, stderr } = startCli(args, env, signal, stdin);
  const exitCode = await endOf(ended, args);
  return ranOf(exitCode, stdout(), stderr());
}

/** A command that goes on until it is interrupted. */
export interface RunningCli {
  /** The exit code. */
  readonly ended: Promise<number>;
  /** All that it has printed so far. */
  stdout(): string;
  stderr(): string;
}

/** Starts a command of `payreq` in this process. */
export function startCli(
  args: readonly string[],
  env: Settings,
  signal: AbortSignal,
  stdin: Readable = Readable.from([]),
): RunningCli {
  const stdout = collector();
  const stderr = collector();
  const ended = runProgram(args, {
    env: { ...env },
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    clock: createDatabaseClock(),
    interruption: () => signal,
  });
  return { ended, stdout: stdout.text, stderr: stderr.text };
}

/** Runs `payreq` as an operator does: a process of its own with these settings and no others. */
export function spawnCli(args: readonly string[], env: Settings = {}): Promise<Ran> {
  return new Promise<Ran>((resolve, reject) => {
    const options = { env: { ...compileCache, ...env }, timeout: LONGEST_RUN_MS };
    execFile(process.execPath, ['--', COMMAND_LINE, ...args], options, (error, stdout, stderr) => {
      const exitCode = error ? error.code : 0;
      if (typeof exitCode !== 'number') return reject(error);
      resolve(ranOf(exitCode, stdout, stderr));
    });
  });
}

function ranOf(exitCode: number, stdout: string, stderr: string): Ran {
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) };
}

function collector() {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, written) {
      text += chunk;
      written();
    },
  });
  return { stream, text: () => text };
}

async function endOf(run: Promise<number>, args: readonly string[]): Promise<number> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`payreq ${args.join(' ')} hangs`)),
    LONGEST_RUN_MS,
  );
  try {
    return await Promise.race([run, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
