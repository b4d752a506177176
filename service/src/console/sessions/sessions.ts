import {
  type Grant,
  grantText,
  type Person,
  parseGrant,
  type SignInKind,
} from '#console/model/roles.ts';
import type { DatabaseDeps, Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { newSessionSecret, sessionIdHash } from './session-secret.ts';
import {
  endSession,
  endSessionsOf,
  findSession,
  insertSession,
  listSessions,
  type OpenAt,
  type SessionChoice,
  type StoredSession,
  setTimeZone,
  touchSession,
} from './session-store.ts';

/** A working day; then the person signs in again, and the roles are read again. */
const LONGEST_MS = 8 * 3_600_000;
/** A browser that a person has left open. */
const MOST_IDLE_MS = 30 * 60_000;
/** A page view writes to the database at most so often. */
const TOUCH_MS = 60_000;

/** A signed-in person. */
export interface Viewer extends Person {
  readonly sessionId: string;
  readonly kind: SignInKind;
  readonly grants: readonly Grant[];
  readonly signedInAt: Date;
  /** The last instant of the session, however busy it is. */
  readonly endsAt: Date;
  /** The person's own choice; null: the merchant's zone. */
  readonly timeZone: string | null;
  /** The address that the identity provider has verified; null: it has none. */
  readonly email: string | null;
}

export interface SessionDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

export interface NewSession extends Person {
  readonly kind: SignInKind;
  readonly grants: readonly Grant[];
  /** When the person proved to be this person; left out: now. */
  readonly signedInAt?: Date;
  /** The id of the provider's answer, which makes one session; left out for a one-time link. */
  readonly answerHash?: Buffer;
  /** A verified address. */
  readonly email?: string | null;
}

export interface StartedSession {
  readonly id: string;
  /** For the cookie; the database holds only its hash. */
  readonly secret: string;
}

/** Starts a session. @returns null: the provider's answer has made a session before */
export async function startSession(
  { db: tx, clock }: SessionDeps,
  { grants, signedInAt, answerHash, email = null, ...person }: NewSession,
): Promise<StartedSession | null> {
  const secret = newSessionSecret();
  const now = clock.now();
  const id = newId();
  const isNew = await insertSession(tx, {
    ...person,
    email,
    id,
    idHash: sessionIdHash(secret),
    grants: grants.map(grantText),
    signedInAt: signedInAt ?? now,
    createdAt: now,
    endsAt: new Date(now.getTime() + LONGEST_MS),
    answerHash: answerHash ?? null,
  });
  return isNew ? { id, secret } : null;
}

/**
 * The person of a session; null after 8 hours, 30 idle minutes, or a sign-out.
 *
 * @param isAct false: a script asks, which keeps no idle session alive
 */
export async function findViewer(
  { db, clock }: SessionDeps,
  secret: string,
  isAct = true,
): Promise<Viewer | null> {
  const { now, idleSince } = openAt(clock);
  const idHash = sessionIdHash(secret);
  const found = await findSession(db, idHash, { now, idleSince });
  if (!found) return null;
  const isDue = now.getTime() - found.seenAt.getTime() >= TOUCH_MS;
  if (isAct && isDue) await touchSession(db, idHash, now);
  const { id: sessionId, kind, issuer, subject, name, signedInAt, endsAt } = found;
  const { timeZone, email } = found;
  const grants = found.grants.map(parseGrant).filter((grant) => grant !== null);
  const person = { kind, issuer, subject, name, email, grants };
  return { ...person, sessionId, signedInAt, endsAt, timeZone };
}

/** Sets the time zone that a person sees; null: that of the merchant. */
export function chooseTimeZone(
  { db }: Pick<SessionDeps, 'db'>,
  person: Viewer,
  timeZone: string | null,
): Promise<void> {
  return setTimeZone(db, person, timeZone);
}

/** A session that was seen since `idleSince` and ends after `now` is open. */
export function openAt(clock: Clock): OpenAt {
  const now = clock.now();
  return { now, idleSince: new Date(now.getTime() - MOST_IDLE_MS) };
}

/**
 * Ends the session of a secret, if there is one.
 *
 * @returns how its person had signed in; null: there was no session
 */
export async function signOut(
  { db, clock }: DatabaseDeps,
  secret: string,
): Promise<SignInKind | null> {
  return db.transaction(async (tx) => {
    const occurredAt = clock.now();
    const ended = await endSession(tx, sessionIdHash(secret), occurredAt);
    if (!ended) return null;
    await recordAct(tx, { clock, actor: actorOf(ended) }, 'CONSOLE_SIGNED_OUT', null, {
      sessionId: ended.id,
    });
    return ended.kind;
  });
}

/** The audit log's actor of a person's act in the console. */
export function actorOf({
  kind,
  name,
  issuer,
  subject,
}: Person & { readonly kind: SignInKind }): string {
  return `console (${name}, ${kind === 'LINK' ? 'by link' : `${issuer} ${subject}`})`;
}

/** People have a browser or two; an operator has some hundred people. */
const MOST_LISTED = 200;
/** An entry of the audit log stays small. */
const MOST_NAMED = 100;

/** An open session, for lists. */
export interface OpenSession extends Omit<StoredSession, 'grants'> {
  readonly grants: readonly Grant[];
}

/** The newest open sessions after one, 200 where no limit is given; of one person or of all. */
export async function listOpenSessions(
  { db, clock }: { readonly db: Executor; readonly clock: Clock },
  person: { readonly issuer: string; readonly subject: string } | null = null,
  { after = null, limit = MOST_LISTED }: { after?: string | null; limit?: number } = {},
): Promise<OpenSession[]> {
  const found = await listSessions(db, openAt(clock), person, { after, limit });
  return found.map((session) => ({
    ...session,
    grants: session.grants.map(parseGrant).filter((grant) => grant !== null),
  }));
}

/** Ends open sessions, by the audit log. @returns how many there were */
export function endSessions(
  { db, clock }: DatabaseDeps,
  choice: SessionChoice,
  actor: string,
): Promise<number> {
  return db.transaction(async (tx) => {
    const at = openAt(clock);
    const ids = await endSessionsOf(tx, at, choice);
    if (ids.length === 0) return 0;
    await recordAct(tx, { clock, actor }, 'CONSOLE_SESSIONS_ENDED', null, {
      count: ids.length,
      sessionIds: ids.slice(0, MOST_NAMED),
    });
    return ids.length;
  });
}
