/**
 * What a test run may choose: nothing of it leads to another database, mail server or machine, or
 * changes where the sandbox listens. A shell of a shop may have the service's settings for its own.
 */
const PASSED = [
  ...['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'],
  ...['CURRENCY', 'TIME_ZONE', 'MAX_AMOUNT', 'REFUNDS_PER_DAY', 'LOG_LEVEL'],
  ...['WEBHOOK_CA_FILE', 'WEBHOOK_RETRY_SCHEDULE_SECONDS'],
  ...['RATE_LIMIT_READS', 'RATE_LIMIT_WRITES', 'RATE_LIMIT_TOKENS'],
];

/** @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv} the part that the service gets */
export function passedEnvironment(env) {
  return Object.fromEntries(PASSED.flatMap((name) => (name in env ? [[name, env[name]]] : [])));
}
