// npm start: brings the right Node.js and the dependencies, then hands over to local/run.mjs.
import { join } from 'node:path';
import { ensureDependencies } from './dependencies.mjs';
import { describeFailure } from './failure.mjs';
import { createProgress } from './progress.mjs';
import { runInNode } from './run-in-node.mjs';
import { ensureToolchain, ROOT } from './toolchain.mjs';

const startedAt = Date.now();
try {
  const progress = createProgress();
  const nodePath = await ensureToolchain(progress);
  await ensureDependencies(progress, nodePath);
  const script = join(ROOT, 'scripts', 'local', 'run.mjs');
  process.exitCode = await runInNode(nodePath, [script, String(startedAt)]);
} catch (error) {
  console.error(`npm start failed: ${describeFailure(error)}`);
  process.exitCode = 1;
}
