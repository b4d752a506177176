// npm start: brings the right Node.js and the dependencies, then hands over to start/npm-start.mjs.
import { join } from 'node:path';
import { describeFailure } from './lib/failure.mjs';
import { createProgress } from './lib/progress.mjs';
import { ensureDependencies } from './toolchain/dependencies.mjs';
import { runInNode } from './toolchain/run-in-node.mjs';
import { ensureToolchain, ROOT } from './toolchain/toolchain.mjs';

const startedAt = Date.now();
try {
  const progress = createProgress();
  const nodePath = await ensureToolchain(progress);
  await ensureDependencies(progress, nodePath, 'RUN');
  const script = join(ROOT, 'scripts', 'start', 'npm-start.mjs');
  process.exitCode = await runInNode(nodePath, [script, String(startedAt)]);
} catch (error) {
  console.error(`npm start failed: ${describeFailure(error)}`);
  process.exitCode = 1;
}
