import { allRows, execute, hasRows, valuesOf } from '#database/statements.ts';
import type { ConnectionRow, TriedRow } from '../../network-connection.ts';
import type { RemoteFile } from './sftp-session.ts';

/** A round renews its lease each 20 s; a process that died is replaced after it. */
const LEASE = `interval '2 minutes'`;

/** A time that lies ahead by more than the interval is that of a clock that has jumped back. */
const IS_FREE = `(c.leased_until IS NULL OR c.leased_until < service_now()
          OR c.leased_until > service_now() + ${LEASE})
     AND (c.due_at <= service_now() OR c.due_at > service_now() + make_interval(mins => $3))`;

/**
 * Takes the lease of a connection whose round is due.
 *
 * Each process asks each 5 s: a connection that is not due has its row read, and not locked.
 */
export const claimRound = hasRows<[number: number, by: string, everyMinutes: number]>(
  'bank-connection-claim',
  `INSERT INTO bank_connections AS c (number, leased_by, leased_until)
   SELECT $1, $2, service_now() + ${LEASE}
   WHERE NOT EXISTS (SELECT FROM bank_connections c WHERE c.number = $1 AND NOT (${IS_FREE}))
   ON CONFLICT (number) DO UPDATE
   SET leased_by = excluded.leased_by, leased_until = excluded.leased_until
   WHERE ${IS_FREE}
   RETURNING number`,
);

/** @returns false: another process has taken over */
export const renewLease = hasRows<[number: number, by: string]>(
  'bank-connection-renew',
  `UPDATE bank_connections SET leased_until = service_now() + ${LEASE}
   WHERE number = $1 AND leased_by = $2 RETURNING number`,
);

export interface RoundEnd {
  readonly number: number;
  readonly by: string;
  readonly everyMinutes: number;
  readonly fault: string | null;
  readonly reason: string | null;
  readonly filesThere: number;
}

export const endRound = execute<[end: RoundEnd]>(
  'bank-connection-end-round',
  `UPDATE bank_connections SET leased_by = NULL, leased_until = NULL,
     due_at = service_now() + make_interval(mins => $3), round_at = service_now(),
     good_at = CASE WHEN $4::text IS NULL THEN service_now() ELSE good_at END,
     fault = $4, reason = $5, files_there = $6
   WHERE number = $1 AND leased_by = $2`,
  valuesOf('number', 'by', 'everyMinutes', 'fault', 'reason', 'filesThere'),
);

/** Lets the next round begin within seconds. @returns whether there is such a connection */
export const askForRound = hasRows<[number: number]>(
  'bank-connection-ask-for-round',
  `UPDATE bank_connections SET due_at = service_now() WHERE number = $1 RETURNING number`,
);

/** A listed name, with the hash of its path. */
export interface ListedFile extends RemoteFile {
  readonly pathHash: Buffer;
}

/**
 * The places of the names that are to be tried: new ones, changed ones, those that failed a day
 * ago, and with `removes` those that are taken and still there.
 */
export const findToTry = allRows<
  { place: number; isTaken: boolean },
  [number: number, files: readonly ListedFile[], removes: boolean]
>(
  'bank-connection-find-to-try',
  `WITH seen AS (
     UPDATE bank_connection_files SET seen_at = service_now()
     WHERE connection = $1 AND path_hash = ANY ($2::bytea[])
       AND seen_at < service_now() - interval '1 day')
   SELECT l.place::int, f.verdict IS NOT DISTINCT FROM 'TAKEN' AND f.size_bytes = l.size
       AND f.modified_at = l.modified_at AS "isTaken"
   FROM unnest($2::bytea[], $3::bigint[], $4::bigint[])
     WITH ORDINALITY AS l (hash, size, modified_at, place)
   LEFT JOIN bank_connection_files f ON f.connection = $1 AND f.path_hash = l.hash
   WHERE f.id IS NULL OR f.size_bytes <> l.size OR f.modified_at <> l.modified_at
     OR CASE f.verdict WHEN 'TAKEN' THEN $5
        ELSE f.tried_at NOT BETWEEN service_now() - interval '1 day' AND service_now() END
   ORDER BY l.place`,
  (number, files, removes) => [
    number,
    files.map(({ pathHash }) => pathHash),
    files.map(({ size }) => size),
    files.map(({ modifiedAt }) => modifiedAt),
    removes,
  ],
);

export interface TriedFile extends ListedFile {
  readonly id: string;
  readonly connection: number;
  readonly verdict: TriedRow['verdict'];
  readonly reason: string | null;
  readonly fileId: string | null;
}

export const noteTried = execute<[file: TriedFile]>(
  'bank-connection-note-tried',
  `INSERT INTO bank_connection_files
     (id, connection, path_hash, name, size_bytes, modified_at, verdict, reason, file_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (connection, path_hash) DO UPDATE
   SET size_bytes = excluded.size_bytes, modified_at = excluded.modified_at,
     verdict = excluded.verdict, reason = excluded.reason, file_id = excluded.file_id,
     tried_at = service_now(), seen_at = service_now()`,
  valuesOf(
    'id',
    'connection',
    'pathHash',
    'name',
    'size',
    'modifiedAt',
    'verdict',
    'reason',
    'fileId',
  ),
);

export const pruneTried = execute(
  'bank-connection-prune-tried',
  `DELETE FROM bank_connection_files WHERE id IN (
     SELECT id FROM bank_connection_files
     WHERE seen_at < service_now() - interval '30 days' LIMIT 1000)`,
);

/** A connection that no process has looked at for so long may be no longer in the settings. */
const UNREAD = `interval '2 days'`;

/** After a good round the time counts from the next one that is due: it may be a day later. */
export const listConnections = allRows<ConnectionRow>(
  'bank-connection-list',
  `SELECT number, coalesce(leased_until > service_now(), false) AS "isRunning",
     round_at AS "roundAt", good_at AS "goodAt", due_at AS "dueAt", fault, reason,
     files_there AS "filesThere",
     due_at < service_now() - ${UNREAD} AND coalesce(leased_until < service_now(), true)
       AS "isUnread",
     greatest(0, extract(epoch FROM service_now() - CASE WHEN fault IS NULL THEN due_at
       ELSE coalesce(good_at, created_at) END))::float8 AS "badSeconds"
   FROM bank_connections ORDER BY number`,
);

/**
 * Forgets a connection and its names. Files are known by their bytes: a process that still has the
 * connection in its settings makes it again, and no file counts twice.
 *
 * @returns false: there is no such connection, or a process looks at it now
 */
export const removeConnection = hasRows<[number: number]>(
  'bank-connection-remove',
  `WITH gone AS (
     DELETE FROM bank_connections
     WHERE number = $1 AND coalesce(leased_until < service_now(), true) RETURNING number),
   names AS (DELETE FROM bank_connection_files WHERE connection IN (SELECT number FROM gone))
   SELECT number FROM gone`,
);

/** Files that were tried, newest first. */
export const listTried = allRows<TriedRow, [most: number]>(
  'bank-connection-list-tried',
  `SELECT id::text, connection, name, size_bytes::float8 AS "sizeBytes", verdict, reason,
     file_id::text AS "fileId", tried_at AS "triedAt"
   FROM bank_connection_files ORDER BY tried_at DESC, id DESC LIMIT $1`,
);
