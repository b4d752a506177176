/** The database is away, read-only, starting, locked or full. */
export class DatabaseUnavailable extends Error {
  /**
   * Whether the connection broke under a statement that writes, or under its commit: the database
   * may have done it. False: nothing of the last piece of work was written.
   */
  readonly mayBeDone: boolean;

  constructor(cause: unknown, mayBeDone = false) {
    super('The database cannot be used at the moment.', { cause });
    this.name = 'DatabaseUnavailable';
    this.mayBeDone = mayBeDone;
  }

  /** Whether the statement waited for a lock of another one: only its own rows are concerned. */
  get isLockWait(): boolean {
    const { cause } = this;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    return LOCK_WAIT_SQLSTATE.test(code);
  }
}

/** A lock was not free in time (55P03, 57014), or transactions waited for each other (40P01). */
const LOCK_WAIT_SQLSTATE = /^(55P03|57014|40P01)$/;
