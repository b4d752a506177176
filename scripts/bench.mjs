// npm run bench: brings the right Node.js and the dependencies, then hands over to run-bench.mjs.
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
  const script = join(ROOT, 'scripts', 'local', 'run-bench.mjs');
  process.exitCode = await runInNode(nodePath, [script, ...process.argv.slice(2)]);
} catch (error) {
  console.error(`npm run bench failed: ${describeFailure(error)}`);
  process.exitCode = 1;
}
