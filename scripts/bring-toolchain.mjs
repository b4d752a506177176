// Brings the right Node.js into this clone: for ./payreq, on a machine that has an older one.
import { describeFailure } from './failure.mjs';
import { createQuietProgress } from './progress.mjs';
import { ensureToolchain } from './toolchain.mjs';

try {
  await ensureToolchain(createQuietProgress());
} catch (error) {
  console.error(`payreq failed: ${describeFailure(error)}`);
  process.exitCode = 1;
}
