// npm run payreq: the operator's command line, under the right Node.js and with the dependencies.
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
  const cli = join(ROOT, 'service', 'src', 'cli.ts');
  process.exitCode = await runInNode(nodePath, [cli, ...process.argv.slice(2)]);
} catch (error) {
  console.error(`payreq: ${describeFailure(error)}`);
  process.exitCode = 1;
}
