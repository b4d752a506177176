/**
 * A failure that the person at the keyboard can do something about. Its message is the one clear
 * sentence that `npm start`, `npm test` and `payreq` end with.
 */
export class Failure extends Error {
  /** @param {string} sentence @param {ErrorOptions} [options] */
  constructor(sentence, options) {
    super(sentence, options);
    this.name = 'Failure';
  }
}

/** @param {unknown} error @returns {string} such as EACCES; empty when it has none */
export function errorCode(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Puts a failed file operation into words.
 * @param {unknown} error @param {string} what as in "write to /srv/pay/.local"
 */
export function fileFailure(error, what) {
  const reasons = /** @type {Record<string, string>} */ ({
    EACCES: 'no permission',
    EPERM: 'no permission',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    ENOTDIR: 'a part of that path is not a folder',
    EEXIST: 'a file of that name is in the way',
  });
  const reason = reasons[errorCode(error)] ?? (error instanceof Error ? error.message : `${error}`);
  return new Failure(`Cannot ${what}: ${reason}.`, { cause: error });
}

/**
 * The text that a failed command prints: a sentence for a Failure. Any other error is a fault of
 * this project, and shows its stack.
 * @param {unknown} error
 */
export function describeFailure(error) {
  if (error instanceof Failure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
