import { fork } from 'node:child_process';
import { join } from 'node:path';
import { Failure } from '../lib/failure.mjs';
import { NODE_FLAGS } from '../toolchain/node-flags.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

export const CLI = join(ROOT, 'service', 'src', 'cli.ts');
const COMMANDS = join(ROOT, 'scripts', 'start', 'payreq-commands.mjs');

// A migration of a large database takes minutes; nothing else here takes seconds.
const COMMAND_MS = 600_000;

/** @typedef {{ exitCode: number, stdout: string, stderr: string }} Ended */

/**
 * The process of all commands: loading the service takes half a second of CPU, and a first start
 * has a dozen commands.
 * @type {ReturnType<typeof startCommands> | undefined}
 */
let commands;

/** Ends the process of the commands; a later command starts another one. */
export function endCommands() {
  commands?.end();
  commands = undefined;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ run: (args: readonly string[], own: NodeJS.ProcessEnv) => Promise<Ended>,
 *   end: () => void }}
 */
function startCommands(env) {
  const child = fork(COMMANDS, [], {
    cwd: ROOT,
    env,
    execArgv: [...NODE_FLAGS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A session of its own: Ctrl-C reaches us alone.
    detached: true,
  });
  /** @type {PromiseWithResolvers<Ended>[]} */
  const asked = [];
  child.on('message', (/** @type {Ended & { id: number }} */ { id, ...end }) =>
    asked[id]?.resolve(end),
  );
  const fail = () => {
    for (const { reject } of asked) reject(new Failure('The commands of payreq have ended early.'));
    if (commands?.end === end) commands = undefined;
  };
  child.on('error', fail);
  child.on('exit', fail);
  const end = () => void child.kill('SIGKILL');
  return {
    run(args, own) {
      /** @type {PromiseWithResolvers<Ended>} */
      const ended = Promise.withResolvers();
      child.send({ id: asked.push(ended) - 1, args, env: own });
      return ended.promise;
    },
    end,
  };
}

/**
 * Runs one command of the service's command line.
 * @param {readonly string[]} args
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<string>} what it printed
 */
export async function payreq(args, { env, signal }) {
  signal.throwIfAborted();
  commands ??= startCommands(env);
  const late = AbortSignal.timeout(COMMAND_MS);
  const stopped = AbortSignal.any([signal, late]);
  stopped.addEventListener('abort', endCommands);
  const { exitCode, stdout, stderr } = await commands.run(args, env).catch((error) => {
    signal.throwIfAborted();
    throw late.aborted ? new Failure(`payreq has not ended within ${COMMAND_MS / 1000} s.`) : error;
  });
  stopped.removeEventListener('abort', endCommands);
  if (exitCode === 0) return stdout;
  const told = (stderr.trim() || stdout.trim() || 'nothing').split('\n').slice(-12).join('\n');
  throw new Failure(
    `payreq ${args.join(' ')} (${env.ENVIRONMENT}) ended with exit code ${exitCode}: ${told}`,
  );
}

/**
 * Runs a command with --json.
 * @param {readonly string[]} args @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<any>} what it printed, parsed
 */
export async function payreqJson(args, options) {
  const printed = await payreq([...args, '--json'], options);
  try {
    return JSON.parse(printed);
  } catch {
    throw new Failure(`payreq ${args.join(' ')} --json printed no JSON: ${printed.slice(0, 200)}`);
  }
}
