#!/usr/bin/env node
import { runProgram } from '#commands/program.ts';
import { systemClock } from '#lib/clock.ts';
import { processEnvironment } from './config.ts';

/** After a failure: time for what was printed to be read. */
const EXIT_MS = 1_000;

const stopping = new AbortController();
// A reader such as `head` has closed the pipe. A command ends as it would have, and `listen` stops.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    stopping.abort();
  });
}

const exitCode = await runProgram(process.argv.slice(2), {
  env: processEnvironment(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: systemClock,
  interruption() {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
    return stopping.signal;
  },
});
if (exitCode !== 0) {
  process.exitCode = exitCode;
  // A connection that still opens, or a channel to a parent, must not keep a command that failed.
  setTimeout(() => process.exit(), EXIT_MS).unref();
}
