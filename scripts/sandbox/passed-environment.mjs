import { resolve } from 'node:path';

/**
 * The settings that a test run may choose. They lead to no other database, mail server or machine,
 * and leave the sandbox where it listens: a shell of a shop may have such settings for its own.
 */
const PASSED = [
  ...['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS'],
  ...['CURRENCY', 'TIME_ZONE', 'MAX_AMOUNT', 'REFUNDS_PER_DAY', 'LOG_LEVEL'],
  'WEBHOOK_RETRY_SCHEDULE_SECONDS',
  ...['RATE_LIMIT_READS', 'RATE_LIMIT_WRITES', 'RATE_LIMIT_TOKENS'],
];
/** Paths from the folder of the shop; the service runs in the folder of the package. */
const PASSED_FILES = ['WEBHOOK_CA_FILE', 'NODE_EXTRA_CA_CERTS'];

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} the part that the service gets */
export function passedEnvironment(env) {
  const given = (/** @type {string[]} */ names) => names.filter((name) => env[name] !== undefined);
  return Object.fromEntries([
    ...given(PASSED).map((name) => [name, env[name]]),
    ...given(PASSED_FILES).map((name) => [name, env[name] && resolve(env[name])]),
  ]);
}
