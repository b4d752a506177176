/**
 * SQLSTATE classes that say the server cannot serve now, though the statement was right:
 * 08 connection, 57P shutdown and crash recovery, 53 out of connections, memory or disk,
 * 25006 read-only (a standby, or a primary that was demoted), 25P03 and 25P04 a transaction that
 * took too long, 58 system error.
 */
const UNAVAILABLE_SQLSTATE = /^(08...|57P..|53...|58...|25006|25P0[34]|57014|55P03|40001|40P01)$/;

const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** pg has no code for a connection that ended under a statement, only these sentences. */
const UNAVAILABLE_SENTENCE = /Connection terminated|not queryable|timeout exceeded when trying/;

/** Whether an error of `pg` means that the database is away and the same call may work later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    UNAVAILABLE_SQLSTATE.test(code) ||
    UNAVAILABLE_SYSTEM.has(code) ||
    UNAVAILABLE_SENTENCE.test(error.message)
  );
}
