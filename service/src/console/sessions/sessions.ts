import {
  type Grant,
  grantText,
  type Person,
  parseGrant,
  type SignInKind,
} from '#console/model/roles.ts';
import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/new-id.ts';
import { newSessionSecret, sessionIdHash } from './session-secret.ts';
import { endSession, findSession, insertSession, touchSession } from './session-store.ts';

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
}

export interface SessionDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

export interface NewSession extends Person {
  readonly kind: SignInKind;
  readonly grants: readonly Grant[];
}

/** Starts a session. @returns its secret, for the cookie; the database holds only its hash */
export async function startSession(
  { db: tx, clock }: SessionDeps,
  { grants, ...person }: NewSession,
): Promise<{ readonly id: string; readonly secret: string }> {
  const secret = newSessionSecret();
  const now = clock.now();
  const id = newId();
  await insertSession(tx, sessionIdHash(secret), {
    ...person,
    id,
    grants: grants.map(grantText),
    signedInAt: now,
    endsAt: new Date(now.getTime() + LONGEST_MS),
  });
  return { id, secret };
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
  const now = clock.now();
  const idHash = sessionIdHash(secret);
  const idleSince = new Date(now.getTime() - MOST_IDLE_MS);
  const found = await findSession(db, idHash, { now, idleSince });
  if (!found) return null;
  const isDue = now.getTime() - found.seenAt.getTime() >= TOUCH_MS;
  if (isAct && isDue) await touchSession(db, idHash, now);
  const { id: sessionId, kind, issuer, subject, name, signedInAt, endsAt } = found;
  const grants = found.grants.map(parseGrant).filter((grant) => grant !== null);
  return { sessionId, kind, issuer, subject, name, signedInAt, endsAt, grants };
}

/** Ends the session of a secret, if there is one. */
export async function signOut({ db, clock }: SessionDeps, secret: string): Promise<void> {
  await endSession(db, sessionIdHash(secret), clock.now());
}
