/** The database is away, read-only, starting, locked or full. */
export class DatabaseUnavailable extends Error {
  /**
   * Whether the connection broke during a write or its commit: the database may have done the
   * work. False: nothing of the last transaction was written.
   */
  readonly mayBeDone: boolean;

  constructor(cause: unknown, mayBeDone = false) {
    super('The database cannot be used at the moment.', { cause });
    this.name = 'DatabaseUnavailable';
    this.mayBeDone = mayBeDone;
  }

  /** Whether the statement waited for a lock: statements about other rows may still succeed. */
  get isLockWait(): boolean {
    const { cause } = this;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    return LOCK_WAIT_SQLSTATE.test(code);
  }
}

/** A lock was not free in time (55P03, 57014), or transactions waited for each other (40P01). */
const LOCK_WAIT_SQLSTATE = /^(55P03|57014|40P01)$/;
