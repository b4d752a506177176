import assert from 'node:assert/strict';
import { type ApprovalDeps, actOrPropose } from '#approvals/act-or-propose.ts';
import { approveProposal } from '#approvals/approve-proposal.ts';
import type { Act } from '#approvals/model/act.ts';
import type { Party, Proposal } from '#approvals/model/proposal.ts';
import { approvalDepsOf } from '#compose/approvals/approval-deps.ts';
import type { Clock } from '#lib/clock.ts';
import { readConfig } from '../../../src/config.ts';
import type { TestService } from '../service/service.ts';

const ISSUER = 'https://id.example';

/** Two people stand behind acts of money; the sessions of tests need no answering provider. */
export const APPROVALS_ON = {
  APPROVALS: 'yes',
  CONSOLE_OIDC_ISSUER: ISSUER,
  CONSOLE_OIDC_CLIENT_ID: 'console',
  CONSOLE_ROLES: 'operators=operator',
};

/** A person whom the identity provider has signed in. */
export function person(subject: string, name = subject): Party {
  return { actor: `console (${name}, ${ISSUER} ${subject})`, subject: { issuer: ISSUER, subject } };
}

/** The needs of approvals, beside a service under test. */
export function approvalDepsFor({
  env,
  database,
  clock,
}: Pick<TestService, 'env' | 'database'> & { readonly clock: Clock }): ApprovalDeps {
  return approvalDepsOf({ config: readConfig(env), db: database.db, clock });
}

/** Approves what the person sees. */
export function approve(deps: ApprovalDeps, by: Party, proposal: Proposal): Promise<Proposal> {
  const { id, payloadHash } = proposal;
  return approveProposal(deps, by, { id, payloadHash: payloadHash.toString('hex') });
}

/** Proposes an act that needs two people. */
export async function propose(deps: ApprovalDeps, by: Party, act: Act): Promise<Proposal> {
  const acted = await actOrPropose(deps, by, act);
  assert.equal(acted.status, 'PROPOSED');
  return (acted as { proposal: Proposal }).proposal;
}
