import { type Grant, parseGrant } from '#console/model/roles.ts';
import type { Database, Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import {
  endSessionsOf,
  listSessions,
  type SessionChoice,
  type StoredSession,
} from './session-store.ts';
import { openAt } from './sessions.ts';

/** People have a browser or two; an operator has some hundred people. */
const MOST_LISTED = 200;
/** An entry of the audit log stays small. */
const MOST_NAMED = 100;

export interface SessionListDeps {
  readonly db: Database;
  readonly clock: Clock;
}

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
  { db, clock }: SessionListDeps,
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
