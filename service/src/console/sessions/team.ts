import { grantText, MERCHANT_ROLES, type MerchantRole } from '#console/model/roles.ts';
import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { cutPage, type Page } from '#lib/cursor.ts';
import { isId } from '#lib/new-id.ts';
import { openAt } from './sessions.ts';
import { listTeam, type TeamMember } from './team-store.ts';

/** A person who has signed in with a role at a merchant, with the roles there. */
export interface Teammate extends Omit<TeamMember, 'grants'> {
  readonly roles: readonly MerchantRole[];
}

/** People with a role at a merchant, as far as sessions are kept; the latest sign-in first. */
export async function pageOfTeam(
  { db, clock }: { readonly db: Executor; readonly clock: Clock },
  merchantId: string,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
): Promise<Page<Teammate>> {
  const grantOf = (role: MerchantRole) => grantText({ role, merchantId });
  const after = cursor !== null && isId(cursor) ? cursor : null;
  const wanted = { after, limit: limit + 1 };
  const found = await listTeam(db, openAt(clock), MERCHANT_ROLES.map(grantOf), wanted);
  const team = found.map(({ grants, ...person }) => ({
    ...person,
    roles: MERCHANT_ROLES.filter((role) => grants.includes(grantOf(role))),
  }));
  return cutPage(team, limit, ({ id }) => id);
}
