import type pg from 'pg';

/** PostgreSQL's function that waits for a standby; the text of its warning is translated. */
const WAITING_FUNCTION = 'SyncRepWaitForLSN';

/**
 * The commit is done on the leader, and no standby has confirmed it: a failover could lose it.
 * A cancelled wait ends with a success and a warning of PostgreSQL.
 */
export class UnconfirmedCommit extends Error {
  /** The outcome of the transaction is unknown (SQLSTATE 08007). */
  readonly code = '08007';
  constructor() {
    super('The wait for the synchronous standby was cancelled.');
    this.name = 'UnconfirmedCommit';
  }
}

/** Watches connections for commits whose wait for a standby was cancelled. */
export type ReplicationWatch = ReturnType<typeof watchReplication>;

export function watchReplication() {
  const unconfirmed = new WeakSet<pg.ClientBase>();
  return {
    add(client: pg.ClientBase) {
      client.on('notice', ({ routine }) => {
        if (routine === WAITING_FUNCTION) unconfirmed.add(client);
      });
    },
    /** @throws UnconfirmedCommit after such a commit, once */
    refuseUnconfirmed(client: pg.ClientBase) {
      if (unconfirmed.delete(client)) throw new UnconfirmedCommit();
    },
  };
}
