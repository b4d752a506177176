import type { Executor, Statement } from '#database/database.ts';
import { execute, firstRowOrNull, hasRows } from '#database/statements.ts';

/**
 * A condition in SQL, true while refunds are held: the database was restored to an earlier moment,
 * and no operator has released the refunds (decision 0063). An index holds the single open row.
 */
export const IS_RESTORE_OPEN = 'EXISTS (SELECT FROM database_restores WHERE released_at IS NULL)';

/**
 * OPERATOR: `payreq restore-check` noticed the restore. REFUND_FOLDER: the journal of the refund
 * files did.
 */
export type NoticedBy = 'OPERATOR' | 'REFUND_FOLDER';

export interface OpenRestore {
  readonly id: string;
  /** The latest instant that the database knew when the restore was noticed. */
  readonly endsAt: Date;
  readonly noticedAt: Date;
  readonly noticedBy: NoticedBy;
}

/** A burst of deliveries ends in no order of their identifiers; a millisecond of index entries. */
const LATEST_DELIVERIES = 1_000;

/**
 * The latest instants of what every deployment writes often, by their indexes. Recovery tells the
 * time of the last commit until the server starts again. `clock_timestamp` bounds a forged clock.
 */
const ENDS_AT = `greatest(
  pg_last_xact_replay_timestamp(),
  (SELECT created_at FROM payment_requests ORDER BY id DESC LIMIT 1),
  (SELECT max(created_at) FROM webhook_events),
  (SELECT max(started_at) FROM webhook_attempts),
  (SELECT max(first_started_at) FROM (
     SELECT first_started_at FROM webhook_deliveries
     ORDER BY id DESC LIMIT ${LATEST_DELIVERIES}) latest),
  (SELECT max(received_at) FROM bank_files),
  (SELECT occurred_at FROM audit_log ORDER BY position DESC LIMIT 1))`;

const FIND_END: Statement = {
  name: '',
  text: `SELECT coalesce(${ENDS_AT}, service_now()) AS "endsAt"`,
};

/** Names of files that an operator has settled after a restore. */
const FIND_KNOWN_FILES: Statement = {
  name: 'database-restore-find-known-files',
  text: `SELECT DISTINCT file FROM database_restores, unnest(known_files) AS file
         WHERE file = ANY ($1::text[])`,
};

const FIND_DEPLOYMENT_ID: Statement = {
  name: 'database-deployment-id',
  text: 'SELECT id::text FROM deployment',
};

/** Writes down that the database was restored; a restore that is open already stays as it is. */
export const noticeRestore = execute<[noticedBy: NoticedBy]>(
  'database-restore-notice',
  `INSERT INTO database_restores (ends_at, noticed_by)
   VALUES (coalesce(${ENDS_AT}, service_now()), $1) ON CONFLICT DO NOTHING`,
);

/** The restore that no operator has released yet; null: there is none. */
export const findOpenRestore = firstRowOrNull<OpenRestore>(
  'database-restore-find-open',
  `SELECT id::text, ends_at AS "endsAt", noticed_at AS "noticedAt",
          noticed_by AS "noticedBy"
   FROM database_restores WHERE released_at IS NULL`,
);

/** The latest instant that the database knows. */
export async function findEnd(db: Executor): Promise<Date> {
  const [row] = await db.query<{ endsAt: Date }>(FIND_END);
  if (!row) throw new Error('the database gave no instant');
  return row.endsAt;
}

/** @returns whether the restore was open */
export const releaseRestore = hasRows<[id: string, knownFiles: readonly string[]]>(
  'database-restore-release',
  `UPDATE database_restores SET released_at = service_now(), known_files = $2
   WHERE id = $1 AND released_at IS NULL RETURNING id`,
);

/** @returns the message ids, among `files`, of payment files that an operator has settled */
export async function findSettledFiles(
  db: Executor,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ file: string }>(FIND_KNOWN_FILES, [files]);
  return new Set(rows.map(({ file }) => file));
}

/** Names the deployment outside of the database; it survives a restore. */
export async function findDeploymentId(db: Executor): Promise<string> {
  const [row] = await db.query<{ id: string }>(FIND_DEPLOYMENT_ID);
  if (!row) throw new Error('the database has no deployment');
  return row.id;
}
