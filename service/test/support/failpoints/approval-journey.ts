import assert from 'node:assert/strict';
import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import { readProposal } from '#approvals/read-proposals.ts';
import { formToken } from '#console/sessions/session-secret.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { approvalDepsFor, person, propose } from '../approvals/approving.ts';
import { startPersonSession } from '../approvals/person-session.ts';
import { eventually } from '../eventually.ts';
import { aroundLonger, type Journey } from './journey.ts';
import { createOne, type Trial } from './trial.ts';

interface Approving {
  readonly deps: ApprovalDeps;
  readonly id: string;
  readonly paymentRequestId: string;
  readonly content: string;
  /** The secret of the approver's session. */
  readonly secret: string;
}

/** Approves by the form of the page, as a browser sends it. */
function sendForm(at: string, { id, content, secret }: Approving): Promise<Response> {
  return fetch(`${at}/console/approvals/${id}/approve`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `__Host-console=${secret}`, accept: 'text/html' },
    body: new URLSearchParams({ csrf: formToken(secret), content }),
  });
}

const isExecuted = async ({ deps, id }: Approving) =>
  (await readProposal(deps, id))?.status === 'EXECUTED';

async function makePaid(trial: Trial): Promise<string> {
  const id = await createOne(trial, 'Ada Payer');
  const body = { outcome: 'PAID' };
  const paid = await trial.call('POST', `/sandbox/payment-requests/${id}/simulations`, { body });
  assert.equal(paid.json?.status, 'PAID', paid.text);
  return id;
}

/** A process may die between the last approval and the act, and in the act. */
export const APPROVAL: Journey<Approving> = {
  title: 'the last approval of a refund',
  role: 'api',
  failpoints: aroundLonger('proposal-mark-approved', 'refund-insert', 'proposal-end'),
  async prepare(trial) {
    const paymentRequestId = await makePaid(trial);
    const { database, settings: env, merchant } = trial;
    const { merchantId } = merchant;
    const deps = approvalDepsFor({ env, database, clock });
    const sums = { amountCents: 500, expectedAvailableCents: 1234 };
    const params = { merchantId, paymentRequestId, ...sums, reason: 'OTHER' } as const;
    const { id, payloadHash } = await propose(deps, person('ada'), { kind: 'REFUND', params });
    const bob = {
      subject: 'bob',
      grants: [{ role: 'finance', merchantId }] as const,
    };
    const secret = await startPersonSession({ database, clock }, bob);
    return { deps, id, paymentRequestId, content: payloadHash.toString('hex'), secret };
  },
  call: (_trial, at, approving) => sendForm(at, approving),
  async finish(trial, approving) {
    const { deps, id } = approving;
    // The person looks at the page again, and finds whether the approval counts.
    if ((await readProposal(deps, id))?.status === 'WAITING') {
      const answer = await sendForm(trial.url, approving);
      assert.equal(answer.status, 303, await answer.text());
    }
    // The loop leaves the first turn to the approver's process, for longer than a test waits.
    await trial.database.sql(
      `UPDATE proposals SET tried_at = tried_at - interval '1 minute'
       WHERE id = $1 AND status = 'APPROVED'`,
      [id],
    );
    await eventually(() => isExecuted(approving), 'the approved refund');
  },
  async check(trial, { id, paymentRequestId }) {
    const made = await trial.database.sql(
      'SELECT id FROM refunds WHERE payment_request_id = $1 AND amount_cents = 500',
      [paymentRequestId],
    );
    assert.deepEqual(made, [{ id }], 'one refund, with the id of its proposal');
    const entries = await trial.database.sql<{ action: string }>(
      `SELECT action FROM audit_log WHERE details ->> 'proposalId' = $1 ORDER BY id`,
      [id],
    );
    const actions = entries.map(({ action }) => action);
    assert.deepEqual(actions, ['PROPOSAL_MADE', 'PROPOSAL_APPROVED', 'PROPOSAL_EXECUTED']);
  },
};
