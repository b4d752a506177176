// A process of npm start: runs commands of the service's command line, one for each message, each
// with an environment of its own.
import '../toolchain/compile-cache.mjs';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../service/src/commands/program.ts';
import { systemClock } from '../../service/src/lib/clock.ts';

/** @typedef {{ id: number, args: string[], env: Record<string, string> }} Asked */

process.on('message', async (/** @type {Asked} */ { id, args, env }) => {
  const [stdout, stderr] = [collect(), collect()];
  const exitCode = await runProgram(args, {
    env,
    stdin: Readable.from([]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    clock: systemClock,
    interruption: () => new AbortController().signal,
  });
  process.send?.({ id, exitCode, stdout: stdout.text(), stderr: stderr.text() });
});
// npm start has ended, or needs no more commands.
process.on('disconnect', () => process.exit());

function collect() {
  /** @type {Buffer[]} */
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
