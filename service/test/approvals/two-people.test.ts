import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApprovalDeps, actOrPropose } from '#approvals/act-or-propose.ts';
import { recordApproval } from '#approvals/approve-proposal.ts';
import { declineProposal, withdrawProposal } from '#approvals/end-waiting.ts';
import type { Party, Proposal } from '#approvals/model/proposal.ts';
import { readProposal } from '#approvals/read-proposals.ts';
import { runCli } from '../commands/run-cli.ts';
import {
  APPROVALS_ON,
  approvalDepsFor,
  approve,
  person,
  propose,
} from '../support/approvals/approving.ts';
import { visitAsPerson } from '../support/approvals/person-session.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeNetwork, success } from '../support/payment-requests/fake-network.ts';
import { type Production, startProduction } from '../support/service/production.ts';

const network = createFakeNetwork();
const [ADA, BOB, EVE] = [person('ada'), person('bob'), person('eve')];
const LINK: Party = { actor: 'console (Ada, by link)', subject: null };
let production: Production;
let deps: ApprovalDeps;
let references = 0;

before(async () => {
  production = await startProduction({ makeNetwork: network.make, settings: APPROVALS_ON });
  deps = approvalDepsFor(production.service);
});
after(() => production?.stop());

const sql = <Row>(text: string, values?: unknown[]) =>
  production.service.database.sql<Row>(text, values);
const payreq = (...args: string[]) => runCli([...args, '--json'], production.service.env);

/** A case AMOUNT_MISMATCH: a payment request of 12.34 for which another amount has arrived. */
async function openCase(amountCents = 1233): Promise<{ id: string; caseId: string }> {
  const { id } = await production.createLink();
  const outcome = success({ amountCents, networkReference: `REF-${++references}` });
  await network.listener.report({ paymentRequestId: id, outcome, isRevocable: false });
  const [found] = await sql<{ caseId: string }>(
    'SELECT id AS "caseId" FROM operator_cases WHERE payment_request_id = $1',
    [id],
  );
  return { id, caseId: found?.caseId ?? '' };
}

const accept = (by: Party, caseId: string, note: string | null = null) =>
  propose(deps, by, { kind: 'CASE_ACCEPT', params: { caseId, note } });
const read = async (id: string) => (await readProposal(deps, id)) as Proposal;
const refusedWith = (code: string) => (error: { code?: string }) => error.code === code;
const statusOf = async (id: string) => (await production.read(id)).status;
const audited = (id: string) =>
  sql<{ action: string; actor: string; details: Record<string, unknown> }>(
    `SELECT action, actor, details FROM audit_log
     WHERE details ->> 'proposalId' = $1 OR details ->> 'caseId' =
       (SELECT params ->> 'caseId' FROM proposals WHERE id = $1::uuid) ORDER BY id`,
    [id],
  );

describe('an act of the command line, while approvals are on', () => {
  it('is only proposed, with exit code 3 and a text that says so', async () => {
    const { id, caseId } = await openCase();
    const ran = await runCli(['cases', 'accept', caseId], production.service.env);
    assert.equal(ran.exitCode, 3, ran.stderr);
    assert.match(ran.stdout, /^Proposed only, nothing has happened: CASE_ACCEPT \S+\.$/m);
    assert.match(ran.stdout, /^2 people must approve it at \/console\/approvals\/\S+ until 2026-/m);
    assert.equal(await statusOf(id), 'CREATED');
    assert.deepEqual(await production.webhooksOf(id), []);
    // The command is run again after a lost answer: it is the same proposal.
    const [again, other] = [
      await payreq('cases', 'accept', caseId),
      await payreq('cases', 'refund', caseId),
    ];
    assert.equal(again.exitCode, 3);
    assert.match(ran.stdout, new RegExp(again.json().proposal.id));
    assert.equal(other.exitCode, 1, other.stdout);
    assert.match(other.stderr, /Another proposal about the same matter is open/);
  });

  it('follows the running service and not the settings of the shell', async () => {
    const { caseId } = await openCase();
    const env = { ...production.service.env, APPROVALS: 'no' };
    assert.equal((await runCli(['cases', 'accept', caseId], env)).exitCode, 3);
  });

  it('needs two people of the identity provider, who differ by issuer and subject', async () => {
    const { id, caseId } = await openCase();
    const { proposal } = (await payreq('cases', 'accept', caseId)).json();
    assert.equal(proposal.approvalsMissing, 2);
    const seen = await read(proposal.id);
    assert.equal((await approve(deps, ADA, seen)).status, 'WAITING');
    // Another name, and another browser, is no other person.
    const alias = person('ada', 'Bob');
    await assert.rejects(approve(deps, alias, seen), refusedWith('APPROVED_BEFORE'));
    await assert.rejects(approve(deps, LINK, seen), refusedWith('NO_SUBJECT'));
    assert.equal(await statusOf(id), 'CREATED');
    assert.equal((await approve(deps, BOB, seen)).status, 'EXECUTED');
    assert.equal(await statusOf(id), 'PAID');
  });

  it('is refused at once when it could not be done', async () => {
    const { caseId } = await openCase();
    const ran = await payreq('cases', 'assign', caseId, '--payment-request', caseId);
    assert.equal(ran.exitCode, 1);
    assert.match(ran.stderr, /cannot be settled by assign/);
  });

  it('proposes refund fail and set-account, and closes a case as before', async () => {
    const { merchantId } = production.merchant;
    const iban = 'DE89370400440532013000';
    const set = ['merchant', 'set-account', '--merchant', merchantId];
    const ran = await payreq(...set, '--holder', 'Harbour Books', '--iban', iban);
    assert.equal(ran.exitCode, 3, ran.stderr);
    const seen = await read(ran.json().proposal.id);
    assert.deepEqual(
      [
        seen.factsBefore.accountNumber,
        seen.factsAfter.accountNumber,
        seen.factsAfter.accountVersion,
      ],
      [null, iban, 1],
    );
    await approve(deps, ADA, seen);
    assert.equal((await approve(deps, BOB, seen)).status, 'EXECUTED');
    const accounts = await payreq('merchant', 'list-accounts', '--merchant', merchantId);
    assert.equal(accounts.json().accounts.length, 1);
    // An unchanged account needs no second person.
    const same = await payreq(...set, '--holder', 'Harbour Books', '--iban', iban);
    assert.equal(same.exitCode, 0, same.stderr);
    const { caseId } = await openCase();
    assert.equal((await payreq('cases', 'close', caseId, '--note', 'at the bank')).exitCode, 0);
  });
});

/** A case AMBIGUOUS_REFERENCE of money that waits. */
async function openAmbiguous(amountCents: number, correctedReferences: string[] = []) {
  const networkReference = `REF-${++references}`;
  await network.listener.reportUnmatched({
    ...{ kind: 'AMBIGUOUS_REFERENCE', paymentRequestId: null, currency: 'CAD', candidates: [] },
    merchantId: production.merchant.merchantId,
    movement: { networkReference, amountCents, bankReference: null, bookingDate: null },
    ...{ institution: 'Other Bank', correctedReferences },
  });
  const [found] = await sql<{ caseId: string }>(
    `SELECT id AS "caseId" FROM operator_cases WHERE details ->> 'networkReference' = $1`,
    [networkReference],
  );
  return found?.caseId ?? '';
}

describe('a split and a replacement', () => {
  it('are proposed by a command with what they change, and done by two people', async () => {
    const [one, two] = [await production.createLink(), await production.createLink()];
    const caseId = await openAmbiguous(2468);
    const parts = ['--part', `${one.id}=12.34`, '--part', `${two.id}=12.34`];
    const ran = await payreq('cases', 'split', caseId, ...parts);
    assert.equal(ran.exitCode, 3, ran.stderr);
    assert.equal(await statusOf(one.id), 'CREATED');
    const seen = await read(ran.json().proposal.id);
    assert.match(String(seen.factsBefore.splitParts), /: 12\.34 \(CREATED, 0\.00 of 12\.34\); /);
    assert.match(String(seen.factsAfter.splitParts), /: 12\.34 \(PAID, 12\.34 of 12\.34\)$/);
    await approve(deps, ADA, seen);
    assert.equal((await approve(deps, BOB, seen)).status, 'EXECUTED');
    assert.deepEqual([await statusOf(one.id), await statusOf(two.id)], ['PAID', 'PAID']);

    const { id } = await production.createLink();
    const networkReference = `REF-${++references}`;
    const movement = {
      networkReference,
      amountCents: 1200,
      bankReference: null,
      bookingDate: null,
    };
    await network.listener.report({
      ...{ paymentRequestId: id, isRevocable: false },
      outcome: { state: 'PART_RECEIVED', currency: 'CAD', movement },
    });
    const correction = await openAmbiguous(1234, [networkReference]);
    const proposed = await payreq('cases', 'replace', correction);
    assert.equal(proposed.exitCode, 3, proposed.stderr);
    const replacing = await read(proposed.json().proposal.id);
    assert.equal(replacing.factsBefore.correctedMovement, `${networkReference}: 12.00`);
    assert.equal(replacing.factsAfter.paymentRequestStatus, 'PAID');
    await approve(deps, ADA, replacing);
    assert.equal((await approve(deps, BOB, replacing)).status, 'EXECUTED');
    assert.equal(await statusOf(id), 'PAID');
  });

  it('are proposed by a form, once when it is sent twice, and approved by another person', async () => {
    const [one, two] = [await production.createLink(), await production.createLink()];
    const caseId = await openAmbiguous(2468);
    const grants = [{ role: 'operator', merchantId: null }] as const;
    const signedIn = (subject: string) => visitAsPerson(production.service, { subject, grants });
    const [ada, bob, reader] = [
      await signedIn('ada'),
      await signedIn('bob'),
      await visitAsPerson(production.service, {
        ...{ subject: 'eve', grants: [{ role: 'operator-readonly', merchantId: null }] },
      }),
    ];
    const path = `/console/operator/cases/${caseId}`;
    const form = await ada.get(`${path}/split`);
    const formId = /name="formId" value="([^"]+)"/.exec(form.html)?.[1] ?? '';
    const fields = {
      ...{ formId, 'part-1-id': one.id, 'part-1-amount': '12.34' },
      ...{ 'part-2-id': two.id, 'part-2-amount': '12.34' },
    };
    assert.equal((await reader.post(`${path}/split`, fields)).status, 403);
    for (const _ of ['sent', 'sent again']) {
      const answer = await ada.post(`${path}/split`, fields);
      assert.equal(answer.location, `${path}?done=PROPOSED`, answer.html);
    }
    assert.equal(await statusOf(one.id), 'CREATED');
    const shown = await bob.get(`/console/approvals/${formId}`);
    assert.match(shown.html, new RegExp(`<li>${one.id}: 12.34 \\(PAID, 12.34 of 12.34\\)</li>`));
    const content = /name="content" value="([0-9a-f]+)"/.exec(shown.html)?.[1] ?? '';
    await ada.post(`/console/approvals/${formId}/approve`, { content });
    assert.equal(await statusOf(one.id), 'CREATED');
    await bob.post(`/console/approvals/${formId}/approve`, { content });
    assert.deepEqual([await statusOf(one.id), await statusOf(two.id)], ['PAID', 'PAID']);
  });

  it('end as FAILED when a payment request has changed since the proposal', async () => {
    const [one, two] = [await production.createLink(), await production.createLink()];
    const caseId = await openAmbiguous(2468);
    const parts = [one, two].map(({ id }) => ({ paymentRequestId: id, amountCents: 1234 }));
    const params = { caseId, parts, note: null };
    const proposal = await propose(deps, ADA, { kind: 'CASE_SPLIT', params });
    await production.cancel(two.id);
    const ended = await approve(deps, BOB, proposal);
    assert.deepEqual([ended.status, ended.outcome], ['FAILED', await failureOf(proposal.id)]);
    assert.equal(await statusOf(one.id), 'CREATED');
  });
});

const failureOf = async (id: string) => {
  const { outcome } = await read(id);
  assert.equal((outcome as { failure?: string }).failure, 'TARGET_CHANGED');
  return outcome;
};

describe('a proposal of a signed-in person', () => {
  it('is done with the approval of another one, once, and names both in the audit log', async () => {
    const { id, caseId } = await openCase();
    const proposal = await accept(ADA, caseId, 'one cent short');
    assert.equal(proposal.factsBefore.paymentRequestStatus, 'CREATED');
    assert.equal(proposal.factsAfter.paymentRequestStatus, 'PAID');
    assert.equal(proposal.amountCents, 1233);
    await assert.rejects(approve(deps, person('ada'), proposal), refusedWith('OWN_PROPOSAL'));
    const done = await approve(deps, BOB, proposal);
    assert.equal(done.status, 'EXECUTED');
    // A form that is sent twice.
    assert.equal((await approve(deps, BOB, proposal)).status, 'EXECUTED');
    await assert.rejects(approve(deps, EVE, proposal), refusedWith('NOT_WAITING'));
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    const entries = await audited(proposal.id);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['PROPOSAL_MADE', 'PROPOSAL_APPROVED', 'OPERATOR_CASE_SETTLED', 'PROPOSAL_EXECUTED'],
    );
    const [, , settled, executed] = entries;
    assert.equal(settled?.actor, `${BOB.actor}, as proposed by ${ADA.actor}`);
    assert.deepEqual(executed?.details.proposedBy, { actor: ADA.actor, ...ADA.subject });
    assert.deepEqual(executed?.details.approvedBy, [{ actor: BOB.actor, ...BOB.subject }]);
    assert.equal(executed?.details.paymentRequestId, id);
  });

  it('is done once when two people approve it at the same moment', async () => {
    const { id, caseId } = await openCase();
    const proposal = await accept(ADA, caseId);
    const ended = await Promise.allSettled([
      approve(deps, BOB, proposal),
      approve(deps, EVE, proposal),
      approve(deps, BOB, proposal),
    ]);
    assert.ok(ended.some(({ status }) => status === 'fulfilled'));
    assert.equal((await read(proposal.id)).status, 'EXECUTED');
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
    const executed = (await audited(proposal.id)).filter(({ action }) => /EXEC/.test(action));
    assert.equal(executed.length, 1);
  });

  it('is done by the background loop when the process dies after the last approval', async () => {
    const { id, caseId } = await openCase();
    const proposal = await accept(ADA, caseId);
    const payloadHash = proposal.payloadHash.toString('hex');
    // The transaction in which a process that dies at once has kept the approval.
    const approved = await recordApproval(deps, BOB, { id: proposal.id, payloadHash });
    assert.equal(approved.status, 'APPROVED');
    assert.equal(await statusOf(id), 'CREATED');
    await production.service.advance(21);
    await eventually(async () => (await read(proposal.id)).status === 'EXECUTED', 'EXECUTED');
    assert.equal(await statusOf(id), 'PAID');
    assert.deepEqual(await production.webhooksOf(id), ['PAYMENT-COMPLETED']);
  });

  it('fails with the reason when its target has changed meanwhile', async () => {
    const { id, caseId } = await openCase();
    const proposal = await accept(ADA, caseId);
    assert.equal((await payreq('cases', 'close', caseId, '--note', 'no')).exitCode, 0);
    const failed = await approve(deps, BOB, proposal);
    assert.equal(failed.status, 'FAILED');
    assert.match(failed.reason ?? '', /caseStatus was OPEN and is CLOSED/);
    assert.deepEqual(failed.outcome, {
      failure: 'TARGET_CHANGED',
      factsNow: { ...proposal.factsBefore, caseStatus: 'CLOSED', leftCents: 0 },
    });
    assert.equal(await statusOf(id), 'CREATED');
    const last = (await audited(proposal.id)).at(-1);
    assert.deepEqual([last?.action, last?.details.failure], ['PROPOSAL_FAILED', 'TARGET_CHANGED']);
  });

  it('takes no approval of another content than the approver saw', async () => {
    const { caseId } = await openCase();
    const proposal = await accept(ADA, caseId);
    const other = { ...proposal, payloadHash: Buffer.alloc(32) };
    await assert.rejects(approve(deps, BOB, other), refusedWith('OTHER_CONTENT'));
  });

  it('fails instead of being done an hour after its approval', async () => {
    const { id, caseId } = await openCase();
    const proposal = await accept(ADA, caseId);
    const payloadHash = proposal.payloadHash.toString('hex');
    await recordApproval(deps, BOB, { id: proposal.id, payloadHash });
    await production.service.advance(3_601);
    await eventually(async () => (await read(proposal.id)).status === 'FAILED', 'FAILED');
    assert.deepEqual((await read(proposal.id)).outcome, { failure: 'TOO_LATE' });
    assert.notEqual(await statusOf(id), 'PAID');
  });
});

describe('the end of a proposal', () => {
  it('is its withdrawal by the proposer alone', async () => {
    const { caseId } = await openCase();
    const proposal = await accept(ADA, caseId);
    await assert.rejects(withdrawProposal(deps, BOB, proposal.id), refusedWith('NOT_PROPOSER'));
    await withdrawProposal(deps, person('ada', 'Ada at home'), proposal.id);
    assert.equal((await read(proposal.id)).status, 'WITHDRAWN');
    await assert.rejects(approve(deps, BOB, proposal), refusedWith('NOT_WAITING'));
    // The matter is free for another proposal.
    assert.equal((await accept(ADA, caseId)).status, 'WAITING');
  });

  it('is its decline, with a reason', async () => {
    const { caseId } = await openCase();
    const proposal = await accept(ADA, caseId);
    await assert.rejects(declineProposal(deps, BOB, proposal.id, ' '), refusedWith('NO_REASON'));
    await declineProposal(deps, BOB, proposal.id, 'ask the merchant first');
    const { status, reason, endedBy } = await read(proposal.id);
    assert.deepEqual([status, reason, endedBy], ['DECLINED', 'ask the merchant first', BOB.actor]);
    await assert.rejects(approve(deps, BOB, proposal), refusedWith('NOT_WAITING'));
  });

  it('is its expiry after 72 hours, for the approver before the loop has written it', async () => {
    const { caseId } = await openCase();
    const proposal = await accept(ADA, caseId);
    const { clock } = production.service;
    clock.advance(72 * 3_600_000);
    await assert.rejects(approve(deps, BOB, proposal), refusedWith('NOT_WAITING'));
    assert.equal((await read(proposal.id)).status, 'EXPIRED');
    await production.service.advance(1);
    const stored = () =>
      sql<{ status: string }>('SELECT status FROM proposals WHERE id = $1', [proposal.id]);
    await eventually(async () => (await stored())[0]?.status === 'EXPIRED', 'EXPIRED');
    assert.equal((await audited(proposal.id)).at(-1)?.action, 'PROPOSAL_EXPIRED');
  });
});

describe('a template of e-mails', () => {
  const change = (isByMerchant: boolean, subject: string, id = 'autumn') => {
    const { merchantId } = production.merchant;
    const template = { id, texts: { en: { REQUEST: { subject } } } };
    const params = { merchantId, template, version: null, isByMerchant };
    return { kind: 'TEMPLATE_SET', params } as const;
  };

  it('waits for an operator where a person of the merchant changes it', async () => {
    const proposal = await propose(deps, ADA, change(true, 'Hello'));
    assert.deepEqual(proposal.factsBefore, {
      templateId: 'autumn',
      templateVersion: null,
      templateArchived: null,
    });
    const stored = () => sql(`SELECT version FROM message_templates WHERE id = 'autumn'`);
    assert.deepEqual(await stored(), []);
    await approve(deps, BOB, proposal);
    await eventually(async () => (await stored()).length === 1, 'the template');
    await assert.rejects(propose(deps, ADA, change(true, '<b>')), /MARKUP|HTML is not allowed/);
  });

  it('is changed and archived by an operator at once', async () => {
    const changed = await actOrPropose(deps, BOB, change(false, 'Hello', 'winter'));
    assert.equal(changed.status, 'DONE');
    const { merchantId } = production.merchant;
    const params = { merchantId, id: 'winter', isByMerchant: false };
    const archived = await actOrPropose(deps, BOB, { kind: 'TEMPLATE_ARCHIVE', params });
    assert.equal(archived.status, 'DONE');
    const again = { ...params, isByMerchant: true };
    await propose(deps, ADA, { kind: 'TEMPLATE_ARCHIVE', params: again });
  });
});

describe('the database', () => {
  const refuses = (text: string, id: string, constraint: string) =>
    assert.rejects(sql(text, [id]), { code: '23514', constraint });

  it('makes no act out of one person’s proposal', async () => {
    const { caseId } = await openCase();
    const { id } = await accept(ADA, caseId);
    const approving = `UPDATE proposals SET status = 'APPROVED', approved_at = now() WHERE id = $1`;
    await refuses(approving, id, 'proposals_two_people');
    await sql(
      `INSERT INTO proposal_approvals (proposal_id, issuer, subject, approver, approved_at)
       VALUES ($1, 'https://id.example', 'ada', 'Ada again', now())`,
      [id],
    );
    await refuses(approving, id, 'proposals_two_people');
  });

  it('changes neither the content of a proposal nor the end of one', async () => {
    const { caseId } = await openCase();
    const { id } = await accept(ADA, caseId);
    await refuses(`UPDATE proposals SET params = '{}' WHERE id = $1`, id, 'proposals_fixed');
    await refuses(
      `UPDATE proposals SET status = 'EXECUTED', approved_at = now(), ended_at = now()
       WHERE id = $1`,
      id,
      'proposals_moves',
    );
    await withdrawProposal(deps, ADA, id);
    await refuses('UPDATE proposals SET tried_at = now() WHERE id = $1', id, 'proposals_fixed');
  });
});
