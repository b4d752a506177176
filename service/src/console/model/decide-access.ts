import type { Environment } from '#lib/environment.ts';
import { type Action, ruleOf } from './access-matrix.ts';
import type { Grant } from './roles.ts';

/** A sign-in of the last ten minutes counts as fresh: people fill a form of money within it. */
export const FRESH_SIGN_IN_MS = 10 * 60_000;

export interface AccessQuestion {
  readonly action: Action;
  /** The merchant of the page; null for pages without one. */
  readonly merchantId: string | null;
  readonly environment: Environment;
  readonly grants: readonly Grant[];
  readonly signedInAt: Date;
  readonly now: Date;
}

/**
 * `NOT_FOUND`: the person must not learn whether the merchant exists. `STALE_SIGN_IN`: allowed
 * after a fresh sign-in.
 */
export type AccessDecision = 'ALLOWED' | 'DENIED' | 'NOT_FOUND' | 'STALE_SIGN_IN';

/** Decides by the access matrix whether a person may do an action. */
export function decideAccess(question: AccessQuestion): AccessDecision {
  const { action, merchantId, environment, grants, signedInAt, now } = question;
  const rule = ruleOf(action);
  if (rule.environment !== undefined && rule.environment !== environment) return 'NOT_FOUND';
  const counting =
    rule.scope === 'merchant'
      ? grants.filter((grant) => grant.merchantId === null || grant.merchantId === merchantId)
      : grants;
  if (rule.scope === 'merchant' && counting.length === 0) return 'NOT_FOUND';
  if (!counting.some(({ role }) => rule.roles.includes(role))) return 'DENIED';
  return rule.needsFreshSignIn && !isFreshSignIn(signedInAt, now) ? 'STALE_SIGN_IN' : 'ALLOWED';
}

export function isFreshSignIn(signedInAt: Date, now: Date): boolean {
  return now.getTime() - signedInAt.getTime() < FRESH_SIGN_IN_MS;
}
