// Brings the right Node.js into this clone: for ./payreq, on a machine that has an older one.
import { describeFailure } from './lib/failure.mjs';
import { createQuietProgress } from './lib/progress.mjs';
import { ensureToolchain } from './toolchain/toolchain.mjs';

try {
  await ensureToolchain(createQuietProgress());
} catch (error) {
  console.error(`payreq failed: ${describeFailure(error)}`);
  process.exitCode = 1;
}
