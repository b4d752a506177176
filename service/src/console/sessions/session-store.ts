import type { SignInKind } from '#console/model/roles.ts';
import type { Executor } from '#database/database.ts';

const INSERT = {
  name: 'console-session-insert',
  text: `INSERT INTO console_sessions
           (id_hash, id, kind, issuer, subject, name, grants, signed_in_at, created_at, seen_at,
            ends_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8, $9)`,
};

const FIND = {
  name: 'console-session-find',
  text: `SELECT id, kind, issuer, subject, name, grants, signed_in_at AS "signedInAt",
           seen_at AS "seenAt", ends_at AS "endsAt"
         FROM console_sessions
         WHERE id_hash = $1 AND ended_at IS NULL AND ends_at > $2 AND seen_at > $3`,
};

const TOUCH = {
  name: 'console-session-touch',
  text: 'UPDATE console_sessions SET seen_at = $2 WHERE id_hash = $1 AND seen_at < $2',
};

const END = {
  name: 'console-session-end',
  text: 'UPDATE console_sessions SET ended_at = $2 WHERE id_hash = $1 AND ended_at IS NULL',
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
  readonly seenAt: Date;
  readonly endsAt: Date;
}

export async function insertSession(
  tx: Executor,
  idHash: Buffer,
  session: Omit<StoredSession, 'seenAt'>,
): Promise<void> {
  const { id, kind, issuer, subject, name, grants, signedInAt, endsAt } = session;
  await tx.query(INSERT, [idHash, id, kind, issuer, subject, name, grants, signedInAt, endsAt]);
}

/** @param idleSince a session that was last seen before it is over */
export async function findSession(
  db: Executor,
  idHash: Buffer,
  { now, idleSince }: { readonly now: Date; readonly idleSince: Date },
): Promise<StoredSession | undefined> {
  const [session] = await db.query<StoredSession>(FIND, [idHash, now, idleSince]);
  return session;
}

export async function touchSession(db: Executor, idHash: Buffer, seenAt: Date): Promise<void> {
  await db.query(TOUCH, [idHash, seenAt]);
}

export async function endSession(db: Executor, idHash: Buffer, endedAt: Date): Promise<void> {
  await db.query(END, [idHash, endedAt]);
}
