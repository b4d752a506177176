import type { SignInKind } from '#console/model/roles.ts';
import type { Executor } from '#database/database.ts';

const INSERT = {
  name: 'console-session-insert',
  text: `INSERT INTO console_sessions
           (id_hash, id, kind, issuer, subject, name, grants, signed_in_at, created_at, seen_at,
            ends_at, answer_hash, time_zone)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11,
           (SELECT time_zone FROM console_sessions WHERE issuer = $4 AND subject = $5
            ORDER BY created_at DESC LIMIT 1))
         ON CONFLICT (answer_hash) DO NOTHING
         RETURNING id`,
};

const FIND = {
  name: 'console-session-find',
  text: `SELECT id, kind, issuer, subject, name, grants, created_at AS "createdAt",
           signed_in_at AS "signedInAt", seen_at AS "seenAt", ends_at AS "endsAt",
           time_zone AS "timeZone"
         FROM console_sessions
         WHERE id_hash = $1 AND ended_at IS NULL AND ends_at > $2 AND seen_at > $3`,
};

const TOUCH = {
  name: 'console-session-touch',
  text: 'UPDATE console_sessions SET seen_at = $2 WHERE id_hash = $1 AND seen_at < $2',
};

const SET_TIME_ZONE = {
  name: 'console-session-set-time-zone',
  text: 'UPDATE console_sessions SET time_zone = $3 WHERE issuer = $1 AND subject = $2',
};

const END = {
  name: 'console-session-end',
  text: `UPDATE console_sessions SET ended_at = $2 WHERE id_hash = $1 AND ended_at IS NULL
         RETURNING id, kind, issuer, subject, name`,
};

/** $1: now; $2: the instant since which an open session was seen. */
export const IS_OPEN = 'ended_at IS NULL AND ends_at > $1 AND seen_at > $2';

const LIST = {
  name: 'console-session-list',
  text: `SELECT id, kind, issuer, subject, name, grants, created_at AS "createdAt",
           signed_in_at AS "signedInAt", seen_at AS "seenAt", ends_at AS "endsAt"
         FROM console_sessions
         WHERE ${IS_OPEN} AND ($3::text IS NULL OR (issuer = $3 AND subject = $4))
         ORDER BY created_at DESC, id DESC LIMIT $5`,
};

const FILTER_OPEN = {
  name: 'console-session-filter-open',
  text: `SELECT id FROM console_sessions WHERE ${IS_OPEN} AND id = ANY($3::uuid[])`,
};

const END_SOME = {
  name: 'console-session-end-some',
  text: `UPDATE console_sessions SET ended_at = $1
         WHERE ${IS_OPEN} AND ($3::uuid IS NULL OR id = $3)
           AND ($4::text IS NULL OR subject = $4) AND ($5::text IS NULL OR issuer = $5)
         RETURNING id`,
};

const PRUNE = {
  name: 'console-session-prune',
  text: `DELETE FROM console_sessions WHERE id_hash IN
           (SELECT id_hash FROM console_sessions
            WHERE ends_at < service_now() - make_interval(days => $1) LIMIT $2)
         RETURNING id`,
};

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
}

export interface InsertedSession extends Omit<StoredSession, 'seenAt'> {
  readonly idHash: Buffer;
  /** Null for a one-time link. */
  readonly answerHash: Buffer | null;
}

/** @returns false: the provider's answer has made a session before */
export async function insertSession(tx: Executor, session: InsertedSession): Promise<boolean> {
  const { idHash, id, kind, issuer, subject, name, grants } = session;
  const { signedInAt, createdAt, endsAt, answerHash } = session;
  const inserted = await tx.query(INSERT, [
    ...[idHash, id, kind, issuer, subject, name, grants],
    ...[signedInAt, createdAt, endsAt, answerHash],
  ]);
  return inserted.length === 1;
}

/** @param idleSince a session that was last seen before it is over */
export async function findSession(
  db: Executor,
  idHash: Buffer,
  { now, idleSince }: { readonly now: Date; readonly idleSince: Date },
): Promise<ZonedSession | undefined> {
  const [session] = await db.query<ZonedSession>(FIND, [idHash, now, idleSince]);
  return session;
}

/** Sets the time zone of all sessions of a person, which later ones take over. */
export async function setTimeZone(
  db: Executor,
  { issuer, subject }: Pick<StoredSession, 'issuer' | 'subject'>,
  timeZone: string | null,
): Promise<void> {
  await db.query(SET_TIME_ZONE, [issuer, subject, timeZone]);
}

export async function touchSession(db: Executor, idHash: Buffer, seenAt: Date): Promise<void> {
  await db.query(TOUCH, [idHash, seenAt]);
}

export type EndedSession = Pick<StoredSession, 'id' | 'kind' | 'issuer' | 'subject' | 'name'>;

/** @returns undefined: there was no such session, or it had ended */
export async function endSession(
  db: Executor,
  idHash: Buffer,
  endedAt: Date,
): Promise<EndedSession | undefined> {
  const [ended] = await db.query<EndedSession>(END, [idHash, endedAt]);
  return ended;
}

/** The instants by which a session counts as open. */
export interface OpenAt {
  readonly now: Date;
  readonly idleSince: Date;
}

/** The newest open sessions; of one person where a person is given. */
export function listSessions(
  db: Executor,
  { now, idleSince }: OpenAt,
  person: { readonly issuer: string; readonly subject: string } | null,
  limit: number,
): Promise<StoredSession[]> {
  const { issuer, subject } = person ?? { issuer: null, subject: null };
  return db.query<StoredSession>(LIST, [now, idleSince, issuer, subject, limit]);
}

/** Those of the sessions that are open. */
export async function filterOpenSessions(
  db: Executor,
  { now, idleSince }: OpenAt,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const open = await db.query<{ id: string }>(FILTER_OPEN, [now, idleSince, ids]);
  return new Set(open.map(({ id }) => id));
}

/** The sessions to end; members that are left out hold for all. */
export interface SessionChoice {
  readonly id?: string;
  readonly subject?: string;
  readonly issuer?: string;
}

/** @returns the ids of the ended sessions */
export async function endSessionsOf(
  tx: Executor,
  { now, idleSince }: OpenAt,
  { id = null, subject = null, issuer = null }: Partial<Record<keyof SessionChoice, string | null>>,
): Promise<string[]> {
  const ended = await tx.query<{ id: string }>(END_SOME, [now, idleSince, id, subject, issuer]);
  return ended.map((session) => session.id);
}

/** @returns the number of deleted rows */
export async function pruneSessions(db: Executor, days: number, limit: number): Promise<number> {
  return (await db.query(PRUNE, [days, limit])).length;
}
