import { join } from 'node:path';
import { Failure } from '../lib/failure.mjs';
import { runCommand } from '../lib/run-command.mjs';
import { NODE_FLAGS } from '../toolchain/node-flags.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

export const CLI = join(ROOT, 'service', 'src', 'cli.ts');

// A migration of a large database takes minutes; nothing else here takes seconds.
const COMMAND_MS = 600_000;

/**
 * Runs one command of the service's command line.
 * @param {readonly string[]} args
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<string>} what it printed
 */
export async function payreq(args, { env, signal }) {
  const command = [...NODE_FLAGS, CLI, ...args];
  const { exitCode, stdout, stderr } = await runCommand(process.execPath, command, {
    signal,
    env,
    timeoutMs: COMMAND_MS,
  });
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
