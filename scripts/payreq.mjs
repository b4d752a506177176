// ./payreq: the operator's command line, in this very process. ./payreq chooses the Node.js.

import { describeFailure } from './lib/failure.mjs';
import { createQuietProgress } from './lib/progress.mjs';
import { ensureDependencies, hasProductionDependencies } from './toolchain/dependencies.mjs';

/** sysexits' EX_CONFIG, as the command line has it (contract §1). */
const EXIT_CONFIGURATION = 78;

if (await areDependenciesThere()) {
  await import('./toolchain/compile-cache.mjs');
  await import('../service/src/cli.ts');
}

/** @returns {Promise<boolean>} false: the reason is printed already */
async function areDependenciesThere() {
  if (hasProductionDependencies()) return true;
  if (process.env.NODE_ENV === 'production') {
    console.error(
      'payreq needs its dependencies, and installs nothing in production: ' +
        'run npm ci --omit=dev --omit=optional in its folder.',
    );
    process.exitCode = EXIT_CONFIGURATION;
    return false;
  }
  try {
    await ensureDependencies(createQuietProgress(), process.execPath, 'RUN');
    return true;
  } catch (error) {
    console.error(`payreq failed: ${describeFailure(error)}`);
    process.exitCode = 1;
    return false;
  }
}
