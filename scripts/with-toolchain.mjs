// Runs a program of node_modules/.bin under the right Node.js: with-toolchain.mjs tsc --noEmit
import { join } from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { describeFailure } from './failure.mjs';
import { createQuietProgress } from './progress.mjs';
import { runInNode } from './run-in-node.mjs';
import { ensureToolchain, ROOT } from './toolchain.mjs';

try {
  const progress = createQuietProgress();
  const nodePath = await ensureToolchain(progress);
  await ensureDependencies(progress, nodePath);
  const [program = '', ...args] = process.argv.slice(2);
  const script = join(ROOT, 'node_modules', '.bin', program);
  process.exitCode = await runInNode(nodePath, [script, ...args]);
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = 1;
}
