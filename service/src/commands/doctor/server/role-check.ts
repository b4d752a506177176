import { type CheckDeps, examplesOf, fault, fine, type Verdict, warning } from '../verdict.ts';
import { type RoleRights, readRoleRights } from './role-store.ts';

/** The service's role has its rights and no others (docs/operations/database-roles.md). */
export async function checkRoles({ db, runtimeRole }: CheckDeps): Promise<Verdict> {
  const rights = await readRoleRights(db, runtimeRole);
  const { role, lacks } = rights;
  if (lacks.length > 0) {
    return fault(
      `The service’s database role ${role} lacks ${examplesOf(lacks)}: run payreq migrate ` +
        'as the owner with RUNTIME_ROLE, which grants what the service needs.',
    );
  }
  const excess = excessOf(rights);
  if (!excess) {
    return fine('The service’s database role can append to the audit log, but not change it.');
  }
  return warning(
    `The service’s database role ${role} ${excess.state}, and could rewrite the audit log: ` +
      `${excess.action}, see docs/operations/database-roles.md.`,
  );
}

/** Why the role could rewrite the audit log; null: it cannot. */
export function excessOf({ role, isSuperuser, isOwner, memberOf, rewrites }: RoleRights) {
  if (isSuperuser) return { state: 'is a superuser', action: 'set RUNTIME_ROLE' };
  if (isOwner) return { state: 'owns tables', action: 'set RUNTIME_ROLE' };
  const [owner] = memberOf;
  if (owner !== undefined) {
    return {
      state: `is a member of ${owner}, which owns tables`,
      action: `revoke ${owner} from ${role}`,
    };
  }
  if (rewrites.length === 0) return null;
  return {
    state: `has ${rewrites.join(', ')}`,
    action: 'run payreq migrate as the owner with RUNTIME_ROLE, which revokes it',
  };
}
