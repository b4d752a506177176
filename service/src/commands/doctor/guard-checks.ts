import { verifyAuditLog } from '#audit/verify-audit-log.ts';
import { isWithin } from '#http/headers/is-within.ts';
import { countText } from '#lib/words/count-text.ts';
import { listUntrustedForwarders } from '#telemetry/log/untrusted-forwarder-store.ts';
import { findUnauditedSettings, findWithoutVacuum } from './guard-store.ts';
import { type RoleRights, readRoleRights } from './role-store.ts';
import { type Checks, examplesOf, fault, fine, verdictOnFound, warning } from './verdict.ts';

/** A report names a few faults; `payreq audit verify` prints all. */
const MOST_TOLD = 3;

/** The guards of the deployment: proxies, the audit log, roles, autovacuum. */
export const GUARD_CHECKS = {
  /** No proxy is missing in TRUSTED_PROXIES: all payers behind one would count as one address. */
  async proxies(deps) {
    if (deps.untrustedForwarders === 'ignore') {
      return fine('UNTRUSTED_FORWARDERS is ignore: X-Forwarded-For of other peers means nothing.');
    }
    const seen = await listUntrustedForwarders(deps.db);
    const missing = seen.filter(({ peer }) => !isWithin(peer, deps.trustedProxies));
    const [latest] = missing;
    if (!latest) return fine('X-Forwarded-For comes from no peer outside of TRUSTED_PROXIES.');
    return fault(
      `X-Forwarded-For comes from ${examplesOf(missing.map(({ peer }) => peer))}, last at ` +
        `${latest.lastSeenAt.toISOString()}, and TRUSTED_PROXIES does not name them. All payers ` +
        'behind such a proxy count as one address: add it. Set UNTRUSTED_FORWARDERS=ignore ' +
        'where the service faces the internet itself.',
    );
  },
  /** Checks the chain of the audit log. */
  async 'audit log'(deps) {
    const { entries, faults, faultCount } = await verifyAuditLog(deps);
    if (faultCount === 0)
      return fine(`The audit log is unchanged: ${countText(entries, 'entry', 'entries')}.`);
    const told = faults.slice(0, MOST_TOLD).join(' ');
    return fault(`${told} ${countText(faultCount, 'fault')} in all: see payreq audit verify.`);
  },
  /** Nothing that lets money out was changed beside the audit log. */
  async 'audited settings'({ db }) {
    return verdictOnFound(
      await findUnauditedSettings(db),
      'Limits, suspensions and approvals are those of the audit log.',
      (examples) =>
        `Changed without an entry of the audit log: ${examples}. SQL beside the service did ` +
        'it: see docs/operations/doctor.md.',
    );
  },
  /** The service's role has its rights and no others (docs/operations/database-roles.md). */
  async 'database roles'({ db, runtimeRole }) {
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
  },
  /** Without autovacuum, tables grow, plans grow old, and the server stops at a wraparound. */
  async autovacuum({ db }) {
    const names = await findWithoutVacuum(db);
    if (names.length === 0) return fine('Autovacuum is on, for every table.');
    return fault(
      `Autovacuum is off by ${examplesOf(names)}: set it on, see docs/operations/database.md.`,
    );
  },
} satisfies Checks;

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
