// npm run docs: writes the documents that are made from the code.
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
  const script = join(ROOT, 'service', 'test', 'support', 'write-documents.ts');
  process.exitCode = await runInNode(nodePath, [script]);
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = 1;
}
