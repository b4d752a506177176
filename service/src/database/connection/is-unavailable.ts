/**
 * SQLSTATE classes that say the server cannot serve now, though the statement was right:
 * 08 connection, 57P shutdown and crash recovery, 53 out of connections, memory or disk,
 * 25006 read-only (a standby, or a primary that was demoted), 25P03 and 25P04 a transaction that
 * took too long, 58 system error.
 */
const UNAVAILABLE_SQLSTATE = /^(08...|57P..|53...|58...|25006|25P0[34]|57014|55P03|40001|40P01)$/;

/** The statement lost against other transactions; its connection works as before. */
const SESSION_FIT_SQLSTATE = /^(57014|55P03|40001|40P01)$/;

const SQLSTATE = /^[0-9A-Z]{5}$/;
/** The server reports that the outcome is unknown, or stopped during the commit. */
const UNKNOWN_END_SQLSTATE = /^(08...|57P..|40003)$/;

const UNAVAILABLE_SYSTEM = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** pg reports a connection that ended during a statement by these sentences, without a code. */
const UNAVAILABLE_SENTENCE =
  /Connection terminated|not queryable|timeout exceeded when trying|timeout expired|read timeout/;

/** The connection broke during the commit: the database may have done the work. */
export class LostCommit extends Error {
  constructor(cause: unknown) {
    super('The connection broke before the database had answered.', { cause });
    this.name = 'LostCommit';
  }
}

/** Whether an error of pg means that the database is unavailable: the call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    UNAVAILABLE_SQLSTATE.test(code) ||
    UNAVAILABLE_SYSTEM.has(code) ||
    UNAVAILABLE_SENTENCE.test(error.message)
  );
}

/** Whether the connection can be used again: only its statement failed. */
export function isSessionFit(error: unknown): boolean {
  return SESSION_FIT_SQLSTATE.test(codeOf(error));
}

/** Whether the outcome is unknown: an error that the server reports is a rollback. */
export function isOutcomeUnknown(error: unknown): boolean {
  const code = codeOf(error);
  // EPIPE has five letters, too.
  const isFromServer = SQLSTATE.test(code) && !UNAVAILABLE_SYSTEM.has(code);
  return !isFromServer || UNKNOWN_END_SQLSTATE.test(code);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
