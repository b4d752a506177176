import type { Executor, Statement } from '#database/database.ts';

/** The bytes of a log position stay below 2^53 for 9 petabytes of log. */
const FIND_PRIMARY: Statement = {
  name: 'replica-find-primary-place',
  text: `SELECT (pg_current_wal_lsn() - '0/0')::float8 AS place,
           (SELECT system_identifier::text FROM pg_control_system()) AS system,
           (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database`,
};

const FIND_REPLICA: Statement = {
  name: 'replica-find-place',
  text: `SELECT (pg_last_wal_replay_lsn() - '0/0')::float8 AS place,
           (SELECT system_identifier::text FROM pg_control_system()) AS system,
           (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database`,
};

/** A place in the log of a database server, in bytes. */
export interface LogPlace {
  /** null: the server is no replica. */
  readonly place: number | null;
  /** Names the server and its replicas, and no other server. */
  readonly system: string;
  /** Names the database within the server; a physical replica has the same. */
  readonly database: string;
}

export function findPrimaryPlace(db: Executor): Promise<LogPlace> {
  return findPlace(db, FIND_PRIMARY);
}

export function findReplicaPlace(db: Executor): Promise<LogPlace> {
  return findPlace(db, FIND_REPLICA);
}

async function findPlace(db: Executor, statement: Statement): Promise<LogPlace> {
  return (await db.query<LogPlace>(statement))[0] ?? { place: null, system: '', database: '' };
}
