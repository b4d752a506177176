import { join } from 'node:path';
import { describeFailure } from '../lib/failure.mjs';
import { createQuietProgress } from '../lib/progress.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { NODE_FLAGS } from './node-flags.mjs';
import { runInNode } from './run-in-node.mjs';
import { ensureToolchain, ROOT } from './toolchain.mjs';

/**
 * Runs a script of the project under the right Node.js and with the dependencies, both brought
 * first where they are missing; the process ends with its exit code.
 * @param {string} command what the person typed, for a failure before the script runs
 * @param {readonly string[]} path of the script, from the project's folder
 * @param {readonly string[]} [args]
 * @param {import('./dependencies.mjs').Scope} [scope] RUN: the script loads no tool of development
 */
export async function runUnderToolchain(
  command,
  path,
  args = process.argv.slice(2),
  scope = 'ALL',
) {
  try {
    const progress = createQuietProgress();
    const nodePath = await ensureToolchain(progress);
    await ensureDependencies(progress, nodePath, scope);
    process.exitCode = await runInNode(nodePath, [...NODE_FLAGS, join(ROOT, ...path), ...args]);
  } catch (error) {
    console.error(`${command} failed: ${describeFailure(error)}`);
    process.exitCode = 1;
  }
}
