import type { SignInKind } from '#console/model/roles.ts';
import { allRows } from '#database/statements.ts';
import { IS_OPEN, type OpenAt } from './session-store.ts';

/** A person with a role at a merchant. */
export interface TeamMember {
  /** Belongs to the person's newest session. */
  readonly id: string;
  readonly kind: SignInKind;
  readonly subject: string;
  readonly name: string;
  /** All of the person's grants, each as `grantText` writes it. */
  readonly grants: readonly string[];
  readonly seenAt: Date;
  /** Whether a session is open now. */
  readonly isOpen: boolean;
}

/**
 * People who have signed in with one of the grants; the latest sign-in first.
 *
 * A person stands by the newest session with one of the grants, $3; the other sessions of the
 * person say when the person was seen last.
 */
export const listTeam = allRows<
  TeamMember,
  [openAt: OpenAt, grants: readonly string[], page: { after: string | null; limit: number }]
>(
  'console-team-list',
  `SELECT s.id, s.kind, s.subject, s.name, s.grants, own."seenAt", own."isOpen"
   FROM console_sessions s, LATERAL (
     SELECT max(seen_at) AS "seenAt", bool_or(${IS_OPEN}) AS "isOpen",
       (array_agg(id ORDER BY id DESC))[1] AS newest
     FROM console_sessions
     WHERE issuer = s.issuer AND subject = s.subject AND grants && $3) own
   WHERE s.grants && $3 AND s.id = own.newest AND ($4::uuid IS NULL OR s.id < $4)
   ORDER BY s.id DESC LIMIT $5`,
  ({ now, idleSince }, grants, { after, limit }) => [now, idleSince, grants, after, limit],
);
