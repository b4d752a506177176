import type { SignInKind } from '#console/model/roles.ts';
import {
  allRows,
  allValues,
  execute,
  firstRow,
  hasRows,
  rowCount,
  valuesOf,
} from '#database/statements.ts';

export interface StoredSession {
  readonly id: string;
  readonly kind: SignInKind;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Each as `grantText` writes it. */
  readonly grants: readonly string[];
  readonly signedInAt: Date;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly endsAt: Date;
}

/** A session with its person's choice of a time zone. */
export interface ZonedSession extends StoredSession {
  readonly timeZone: string | null;
  readonly email: string | null;
}

export interface InsertedSession extends Omit<StoredSession, 'seenAt'> {
  readonly idHash: Buffer;
  readonly email: string | null;
  /** Null for a one-time link. */
  readonly answerHash: Buffer | null;
}

/** The instants by which a session counts as open; one last seen before `idleSince` is over. */
export interface OpenAt {
  readonly now: Date;
  readonly idleSince: Date;
}

type Person = Pick<StoredSession, 'issuer' | 'subject'>;

/** $1: now; $2: the instant since which an open session was seen. */
export const IS_OPEN = 'ended_at IS NULL AND ends_at > $1 AND seen_at > $2';

/** @returns false: the provider's answer has made a session before */
export const insertSession = hasRows<[session: InsertedSession]>(
  'console-session-insert',
  `INSERT INTO console_sessions
     (id_hash, id, kind, issuer, subject, name, grants, signed_in_at, created_at, seen_at,
      ends_at, answer_hash, email, time_zone)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12,
     (SELECT time_zone FROM console_sessions WHERE issuer = $4 AND subject = $5
      ORDER BY created_at DESC LIMIT 1))
   ON CONFLICT (answer_hash) DO NOTHING
   RETURNING id`,
  valuesOf(
    'idHash',
    'id',
    'kind',
    'issuer',
    'subject',
    'name',
    'grants',
    'signedInAt',
    'createdAt',
    'endsAt',
    'answerHash',
    'email',
  ),
);

export const findSession = firstRow<ZonedSession, [idHash: Buffer, openAt: OpenAt]>(
  'console-session-find',
  `SELECT id, kind, issuer, subject, name, grants, created_at AS "createdAt",
     signed_in_at AS "signedInAt", seen_at AS "seenAt", ends_at AS "endsAt",
     time_zone AS "timeZone", email
   FROM console_sessions
   WHERE id_hash = $3 AND ${IS_OPEN}`,
  (idHash, { now, idleSince }) => [now, idleSince, idHash],
);

/** Sets the time zone of all sessions of a person, which later ones take over. */
export const setTimeZone = execute<[person: Person, timeZone: string | null]>(
  'console-session-set-time-zone',
  'UPDATE console_sessions SET time_zone = $3 WHERE issuer = $1 AND subject = $2',
  ({ issuer, subject }, timeZone) => [issuer, subject, timeZone],
);

export const touchSession = execute<[idHash: Buffer, seenAt: Date]>(
  'console-session-touch',
  'UPDATE console_sessions SET seen_at = $2 WHERE id_hash = $1 AND seen_at < $2',
);

export type EndedSession = Pick<StoredSession, 'id' | 'kind' | 'issuer' | 'subject' | 'name'>;

/** @returns undefined: there was no such session, or it had ended */
export const endSession = firstRow<EndedSession, [idHash: Buffer, endedAt: Date]>(
  'console-session-end',
  `UPDATE console_sessions SET ended_at = $2 WHERE id_hash = $1 AND ended_at IS NULL
   RETURNING id, kind, issuer, subject, name`,
);

/** Sessions that are older than one; null: from the newest on. */
interface SessionPage {
  readonly after: string | null;
  readonly limit: number;
}

/** The newest open sessions; of one person where a person is given. Ids are in order of time. */
export const listSessions = allRows<
  StoredSession,
  [openAt: OpenAt, person: Person | null, page: SessionPage]
>(
  'console-session-list',
  `SELECT id, kind, issuer, subject, name, grants, created_at AS "createdAt",
     signed_in_at AS "signedInAt", seen_at AS "seenAt", ends_at AS "endsAt"
   FROM console_sessions
   WHERE ${IS_OPEN} AND ($3::text IS NULL OR (issuer = $3 AND subject = $4))
     AND ($5::uuid IS NULL OR id < $5)
   ORDER BY id DESC LIMIT $6`,
  ({ now, idleSince }, person, { after, limit }) => {
    const { issuer = null, subject = null } = person ?? {};
    return [now, idleSince, issuer, subject, after, limit];
  },
);

/** Those of the sessions that are open. */
export const filterOpenSessions = allValues<string, [openAt: OpenAt, ids: readonly string[]]>(
  'console-session-filter-open',
  `SELECT id FROM console_sessions WHERE ${IS_OPEN} AND id = ANY($3::uuid[])`,
  ({ now, idleSince }, ids) => [now, idleSince, ids],
);

/** The sessions to end; members that are left out hold for all. */
export interface SessionChoice {
  readonly id?: string;
  readonly subject?: string;
  readonly issuer?: string;
}

/** @returns the ids of the ended sessions */
export const endSessionsOf = allValues<
  string,
  [openAt: OpenAt, choice: Partial<Record<keyof SessionChoice, string | null>>]
>(
  'console-session-end-some',
  `UPDATE console_sessions SET ended_at = $1
   WHERE ${IS_OPEN} AND ($3::uuid IS NULL OR id = $3)
     AND ($4::text IS NULL OR subject = $4) AND ($5::text IS NULL OR issuer = $5)
   RETURNING id`,
  ({ now, idleSince }, { id = null, subject = null, issuer = null }) => [
    now,
    idleSince,
    id,
    subject,
    issuer,
  ],
);

/** @returns the number of deleted rows */
export const pruneSessions = rowCount<[days: number, limit: number]>(
  'console-session-prune',
  `DELETE FROM console_sessions WHERE id_hash IN
     (SELECT id_hash FROM console_sessions
      WHERE ends_at < service_now() - make_interval(days => $1) LIMIT $2)
   RETURNING id`,
);
