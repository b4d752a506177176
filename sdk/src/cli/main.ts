#!/usr/bin/env node
import { runProgram } from './program.ts';

/** After a failure: time for what was printed to be read. */
const EXIT_MS = 1_000;

const stopping = new AbortController();
// A reader such as `head` has closed the pipe: `listen` stops.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    stopping.abort();
  });
}

void runProgram(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  interruption() {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
    return stopping.signal;
  },
}).then((exitCode) => {
  process.exitCode = exitCode;
  // A connection that still opens must not keep a tool that failed.
  if (exitCode !== 0) setTimeout(() => process.exit(), EXIT_MS).unref();
});
