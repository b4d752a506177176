import { createHash } from 'node:crypto';
import { type Grant, grantText } from '#console/model/roles.ts';
import { sessionIdHash } from '#console/sessions/session-secret.ts';
import { endSession } from '#console/sessions/session-store.ts';
import { actorOf, startSession } from '#console/sessions/sessions.ts';
import type { DatabaseDeps } from '#database/database.ts';
import type { AuditAction } from '#merchants/audit-actions.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import { grantsOf, type RoleRule, TooManyGrants } from './model/role-mapping.ts';
import type { SignInFault } from './model/sign-in-fault.ts';
import type { BegunSignIn } from './oidc/begun-sign-in.ts';
import {
  CLOCK_TOLERANCE_MS,
  type IdentityProvider,
  type ProvenPerson,
} from './oidc/identity-provider.ts';
import { ProviderFault } from './oidc/provider-fault.ts';

/** A provider that says nothing was asked to take no older sign-in than this. */
const OLDEST_SIGN_IN_MS = 8 * 3_600_000;

export interface ProviderSignInDeps extends DatabaseDeps {
  readonly provider: Pick<IdentityProvider, 'finish'>;
  readonly rules: readonly RoleRule[];
}

export interface ProviderAnswer {
  /** The query of the address to which the provider led the browser. */
  readonly query: string;
  readonly begun: BegunSignIn;
  /** The session that the browser had; it ends. */
  readonly formerSecret: string | null;
}

export interface FailedSignIn {
  readonly fault: SignInFault;
  /** The cause, for the log; left out: the fault says all. */
  readonly error?: ProviderFault;
}

/** Signs a person in by the provider's answer. @returns the session's secret, or a fault */
export async function signInByProvider(
  deps: ProviderSignInDeps,
  { query, begun, formerSecret }: ProviderAnswer,
): Promise<{ readonly secret: string } | FailedSignIn> {
  let person: ProvenPerson;
  try {
    person = await deps.provider.finish(query, begun);
  } catch (error) {
    if (error instanceof ProviderFault) return { fault: error.reason, error };
    throw error;
  }
  if (begun.isFresh && !isFresh(person, begun)) return refuse(deps, person, 'NOT_FRESH');
  const grants = readGrants(person, deps.rules);
  if (grants === null) return refuse(deps, person, 'TOO_MANY_ROLES');
  if (grants.length === 0) return refuse(deps, person, 'NO_ROLE');
  const secret = await openSession(deps, person, { grants, state: begun.state, formerSecret });
  return secret === null ? { fault: 'EXPIRED' } : { secret };
}

/** `prompt=login` is a wish: `auth_time` proves it. */
function isFresh({ authenticatedAt }: ProvenPerson, { begunAt }: BegunSignIn): boolean {
  if (authenticatedAt === null) return false;
  return authenticatedAt.getTime() >= begunAt.getTime() - CLOCK_TOLERANCE_MS;
}

function readGrants({ roleValues }: ProvenPerson, rules: readonly RoleRule[]): Grant[] | null {
  try {
    return grantsOf(roleValues, rules);
  } catch (error) {
    if (error instanceof TooManyGrants) return null;
    throw error;
  }
}

function openSession(
  { db, clock }: ProviderSignInDeps,
  person: ProvenPerson,
  {
    grants,
    state,
    formerSecret,
  }: {
    readonly grants: readonly Grant[];
    readonly state: string;
    readonly formerSecret: string | null;
  },
): Promise<string | null> {
  const { issuer, subject, name, email, authenticatedAt } = person;
  return db.transaction(async (tx) => {
    const now = clock.now();
    const provenMs = authenticatedAt?.getTime() ?? now.getTime() - OLDEST_SIGN_IN_MS;
    const started = await startSession(
      { db: tx, clock },
      {
        kind: 'OIDC',
        ...{ issuer, subject, name, email, grants },
        signedInAt: new Date(Math.min(provenMs, now.getTime())),
        answerHash: createHash('sha256').update(`console answer ${state}`).digest(),
      },
    );
    if (!started) return null;
    if (formerSecret !== null) await endSession(tx, sessionIdHash(formerSecret), now);
    await insertAuditEntry(tx, {
      ...entryOf(person, 'CONSOLE_SIGNED_IN', now),
      merchantId: merchantOf(grants),
      details: { sessionId: started.id, kind: 'OIDC', roles: grants.map(grantText) },
    });
    return started.secret;
  });
}

async function refuse(
  { db, clock }: ProviderSignInDeps,
  person: ProvenPerson,
  fault: SignInFault,
): Promise<{ readonly fault: SignInFault }> {
  const entry = entryOf(person, 'CONSOLE_SIGN_IN_REFUSED', clock.now());
  await db.transaction((tx) =>
    insertAuditEntry(tx, { ...entry, merchantId: null, details: { reason: fault } }),
  );
  return { fault };
}

function entryOf(person: ProvenPerson, action: AuditAction, occurredAt: Date) {
  return { actor: actorOf({ ...person, kind: 'OIDC' }), action, occurredAt };
}

/** The merchant's own audit log shows the sign-ins of its own people. */
function merchantOf(grants: readonly Grant[]): string | null {
  const [first, ...others] = new Set(grants.map(({ merchantId }) => merchantId));
  return others.length === 0 ? (first ?? null) : null;
}
