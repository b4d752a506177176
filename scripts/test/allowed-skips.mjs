import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../toolchain/toolchain.mjs';

/** Statements and schemas of other people lie beside the project; their licences keep them out. */
const ORACLES = join(ROOT, '..', 'shared', 'oracles');
const WITHOUT_ORACLES = 'shared/oracles is not there';
/** A machine on which this process may not install it; as root on Debian, a test installs it. */
const WITHOUT_PYTHON = 'Python 3.11 is not there';

/**
 * Whether npm test may skip the test: it needs the oracles or Python, and this machine has none.
 * @param {import('./result-reporter.mjs').OmittedTest} test @returns {boolean}
 */
export function isAllowed({ reason }) {
  return reason === WITHOUT_PYTHON || (reason === WITHOUT_ORACLES && !existsSync(ORACLES));
}
