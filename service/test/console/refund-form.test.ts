import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Grant, MerchantRole } from '#console/model/roles.ts';
import { APPROVALS_ON } from '../support/approvals/approving.ts';
import { visitAsPerson } from '../support/approvals/person-session.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { createPaid } from '../support/refunds/refund-calls.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let other: TestMerchant;
let ada: ConsoleClient;
let bob: ConsoleClient;
let operator: ConsoleClient;

const OPERATOR: Grant = { role: 'operator', merchantId: null };
const grantOf = (role: MerchantRole, { merchantId }: TestMerchant): Grant => ({ role, merchantId });

before(async () => {
  const settings = { ...APPROVALS_ON, APPROVAL_REFUNDS_ABOVE: '10.00' };
  service = await startTestService({ roles: ['api'], settings });
  merchant = await service.createMerchant({ name: 'Maple Bikes' });
  other = await service.createMerchant({ name: 'Birch Books' });
  const people = [
    ['ada', grantOf('finance', merchant)],
    ['bob', grantOf('administrator', merchant)],
    ['olga', OPERATOR],
  ] as const;
  [ada, bob, operator] = (await Promise.all(
    people.map(([subject, grant]) => visitAsPerson(service, { subject, grants: [grant] })),
  )) as [ConsoleClient, ConsoleClient, ConsoleClient];
});
after(() => service?.stop());

const pathOf = (id: string) => `/console/m/${merchant.merchantId}/payment-requests/${id}/refund`;
const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** The form as its page fills it. */
async function openForm(person: ConsoleClient, id: string) {
  const { status, html } = await person.get(pathOf(id));
  assert.equal(status, 200, html);
  const names = ['form', 'available', 'offered'];
  const form = Object.fromEntries(names.map((name) => [name, hidden(html, name)]));
  return { html, fields: { ...form, choice: 'full', amount: '', reason: 'OTHER' } };
}

const refundsOf = (id: string) =>
  service.database.sql<{ id: string; cents: number }>(
    `SELECT id, amount_cents::int AS cents FROM refunds WHERE payment_request_id = $1
     ORDER BY created_at, id`,
    [id],
  );

/** Proposes to refund all of a payment of 12.34, which is above the limit. */
async function proposeAll(person = ada): Promise<{ id: string; page: string; content: string }> {
  const id = await createPaid(service, merchant);
  const { fields } = await openForm(person, id);
  const page = (await person.post(pathOf(id), fields)).location?.split('?')[0] ?? '';
  const { html } = await person.get(page);
  return { id, page, content: /<code>([0-9a-f]{64})<\/code>/.exec(html)?.[1] ?? '' };
}

describe('the form of a refund', () => {
  it('gives half back, and the audit log names the person', async () => {
    const id = await createPaid(service, merchant, 12.35);
    const { html, fields } = await openForm(ada, id);
    assert.match(html, /All of it, \$12\.35/);
    assert.match(html, /Half of it, \$6\.17/);
    assert.match(html, /<dd>Ada Payer<\/dd>/);
    // All of it is above the limit: only the half is given back at once.
    assert.match(html, /<span class="full"\s*>Propose a refund of \$12\.35</);
    assert.match(html, /<span class="half"\s*>Refund \$6\.17</);
    assert.match(html, /<span class="other"\s*>Refund or propose</);
    const answer = await ada.post(pathOf(id), { ...fields, choice: 'half' });
    assert.equal(answer.status, 303, answer.html);
    assert.match(answer.location ?? '', new RegExp(`/payment-requests/${id}\\?done=refunded$`));
    const paid = await ada.get(answer.location ?? '');
    assert.match(paid.html, /\$6\.17 is on its way to Ada Payer\./);
    const [refund] = await refundsOf(id);
    assert.equal(refund?.cents, 617);
    const entries = await service.database.sql(
      `SELECT actor, merchant_id AS "merchantId", details FROM audit_log
       WHERE action = 'REFUND_CREATED' AND details ->> 'paymentRequestId' = $1`,
      [id],
    );
    const ids = { refundId: refund?.id, paymentRequestId: id, reason: 'OTHER' };
    const sums = { amountCents: 617, availableBeforeCents: 1235, availableAfterCents: 618 };
    assert.deepEqual(entries, [
      {
        actor: 'console (ada, https://id.example ada)',
        merchantId: merchant.merchantId,
        details: { ...ids, ...sums },
      },
    ]);
  });

  it('makes one refund of a form that is sent twice, also at the same moment', async () => {
    const id = await createPaid(service, merchant);
    const { fields } = await openForm(ada, id);
    const sent = { ...fields, choice: 'other', amount: '4,5' };
    const answers = await Promise.all([ada.post(pathOf(id), sent), ada.post(pathOf(id), sent)]);
    answers.push(await ada.post(pathOf(id), sent));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303],
    );
    assert.deepEqual(
      (await refundsOf(id)).map(({ cents }) => cents),
      [450],
    );
    const more = await ada.post(pathOf(id), { ...sent, amount: '5' });
    assert.equal(more.status, 409, more.html);
    assert.equal((await refundsOf(id)).length, 1);
  });

  it('shows itself again with the faults of its fields', async () => {
    const id = await createPaid(service, merchant);
    const { fields } = await openForm(ada, id);
    for (const [wrong, sentence] of [
      [{ choice: 'other', amount: '12.35' }, /Give an amount such as 12\.34, up to \$12\.34/],
      [{ choice: 'other', amount: '0' }, /Give an amount such as/],
      [{ choice: 'other', amount: '1e1' }, /Give an amount such as/],
      [{ choice: 'double' }, /Choose how much to give back/],
      [{ reason: 'BORED' }, /Choose the reason/],
      [{ form: 'x' }, /The form was incomplete/],
      [{ available: '-5' }, /The form was incomplete/],
      [{ offered: '0' }, /The form was incomplete/],
      [{ offered: '1235' }, /The amount is above what is available/],
    ] as const) {
      const answer = await ada.post(pathOf(id), { ...fields, ...wrong });
      assert.equal(answer.status, 422, JSON.stringify(wrong));
      assert.match(answer.html, sentence);
    }
    assert.deepEqual(await refundsOf(id), []);
  });

  it('gives nothing back when another amount is available than the page showed', async () => {
    const id = await createPaid(service, merchant);
    const { fields } = await openForm(ada, id);
    const { fields: first } = await openForm(bob, id);
    await bob.post(pathOf(id), { ...first, choice: 'other', amount: '1' });
    const answer = await ada.post(pathOf(id), { ...fields, choice: 'half' });
    assert.equal(answer.status, 422);
    assert.match(answer.html, /The amount available has changed/);
    assert.equal((await refundsOf(id)).length, 1);
  });

  it('exists for no payment request of another merchant', async () => {
    const id = await createPaid(service, other);
    assert.equal((await ada.get(pathOf(id))).status, 404);
    const sent = { form: randomUUID(), available: '1234', choice: 'full', reason: 'OTHER' };
    assert.equal((await ada.post(pathOf(id), sent)).status, 404);
    assert.deepEqual(await refundsOf(id), []);
  });
});

describe('a refund above the limit', () => {
  it('waits for another person, who approves what the page shows', async () => {
    const { id, page, content } = await proposeAll();
    assert.deepEqual(await refundsOf(id), []);
    const waits = (await ada.get(pathOf(id).replace('/refund', ''))).html;
    assert.match(waits, /<p class="notice warning">A refund of \$12\.34 waits for approval\. <a/);
    const seen = await bob.get(page);
    assert.match(seen.html, /Available for refunds/);
    assert.match(seen.html, /<dt>Payer<\/dt><dd>Ada Payer</);
    assert.match(seen.html, /Another reason/);
    assert.doesNotMatch(seen.html, />OTHER</);
    assert.match(seen.html, /<strong><span class="amount">\$0\.00<\/span><\/strong>/);
    const list = (await bob.get('/console/approvals')).html;
    const [row = ''] =
      list.match(new RegExp(`<tr>(?:(?!</tr>)[\\s\\S])*${page}(?:(?!</tr>)[\\s\\S])*`)) ?? [];
    const cells = [...row.matchAll(/<t[hd][^>]*>((?:(?!<\/t[hd]>)[\s\S])*)/g)].map(
      ([, cell = '']) =>
        cell
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
    );
    assert.deepEqual(cells, [
      'Refund Another reason',
      'Ada Payer',
      'ORDER-7',
      '$12.34',
      'Maple Bikes',
      'ada',
      'this minute Expires in 3 days',
    ]);
    // The proposer is no second person, in whatever session.
    const home = await visitAsPerson(service, {
      subject: 'ada',
      name: 'Ada at home',
      grants: [grantOf('administrator', merchant)],
    });
    const own = await home.post(`${page}/approve`, { content });
    assert.equal(own.status, 422);
    assert.match(own.html, /Another person must approve your proposal/);
    const answer = await bob.post(`${page}/approve`, { content });
    assert.equal(answer.location, `${page}?done=executed`);
    assert.deepEqual(
      (await refundsOf(id)).map(({ cents }) => cents),
      [1234],
    );
    assert.match((await ada.get(answer.location ?? '')).html, /Approved and done/);
  });

  it('is also one that parts the sum: earlier refunds of the payment count', async () => {
    const id = await createPaid(service, merchant);
    const { fields } = await openForm(ada, id);
    const first = await ada.post(pathOf(id), { ...fields, choice: 'half' });
    assert.doesNotMatch(first.location ?? '', /approvals/);
    const { fields: rest, html: proposing } = await openForm(ada, id);
    assert.match(proposing, /<span class="half"\s*>Refund \$3\.08</);
    const second = await ada.post(pathOf(id), rest);
    assert.match(second.location ?? '', /^\/console\/approvals\/\S+\?done=proposed$/);
    assert.equal((await refundsOf(id)).length, 1);
    // The first form is sent again after a lost answer.
    const again = await ada.post(pathOf(id), { ...fields, choice: 'half' });
    assert.equal(again.location, first.location);
    assert.equal((await refundsOf(id)).length, 1);
    const { html } = await openForm(bob, id);
    assert.match(html, /A refund of this payment waits for an approval/);
    assert.match(html, /<dt>Waiting for approval<\/dt><dd><span class="amount">\$/);
    // Nothing is offered beside it: the proposal is the one act.
    assert.match(html, /<p class="number"><span class="amount">\$0\.00</);
    assert.match(html, /<a class="button" href="\/console\/approvals\/[^"]+">Open the proposal</);
    assert.doesNotMatch(html, /name="choice"|by-choice/);
    // A form of before the proposal makes no second one.
    const late = { ...rest, form: randomUUID() };
    assert.match((await bob.post(pathOf(id), late)).html, /Another refund of this payment waits/);
    const page = (await bob.get(pathOf(id).replace('/refund', ''))).html;
    assert.match(
      page,
      /A refund of \$\d+\.\d\d waits for approval\. <a href="\/console\/approvals\//,
    );
    assert.match(page, /<a class="button quiet" href="[^"]+\/refund">Refund</);
  });

  it('leaves the rest of the payment to the form while it waits', async () => {
    const id = await createPaid(service, merchant, 20);
    const { fields } = await openForm(ada, id);
    await ada.post(pathOf(id), { ...fields, choice: 'other', amount: '15' });
    const { html, fields: rest } = await openForm(ada, id);
    assert.match(html, /All of it, \$5\.00/);
    assert.match(html, /<a class="button quiet" href="[^"]+">Open the proposal</);
    assert.match(html, /<span class="full"\s*>Refund \$5\.00</);
    const above = await ada.post(pathOf(id), { ...rest, choice: 'other', amount: '5.01' });
    assert.match(above.html, /Give an amount such as 12\.34, up to \$5\.00/);
    assert.equal((await ada.post(pathOf(id), rest)).status, 303);
    assert.deepEqual(
      (await refundsOf(id)).map(({ cents }) => cents),
      [500],
    );
  });

  it('is declined with a reason that the proposer reads', async () => {
    const { id, page } = await proposeAll();
    assert.match((await bob.post(`${page}/decline`, { reason: '' })).html, /Give the reason/);
    const reason = 'Ask <the> customer';
    assert.equal((await operator.post(`${page}/decline`, { reason })).status, 303);
    assert.match((await ada.get(page)).html, /Ask &lt;the&gt;|Ask &#60;the&#62;/);
    assert.deepEqual(await refundsOf(id), []);
  });

  it('can be approved by an operator, and by nobody of another merchant', async () => {
    const { id, page, content } = await proposeAll();
    const stranger = await visitAsPerson(service, {
      subject: 'eve',
      grants: [grantOf('administrator', other)],
    });
    for (const path of [page, `${page}/decide`]) {
      assert.equal((await stranger.get(path)).status, 404);
    }
    assert.equal((await stranger.post(`${page}/approve`, { content })).status, 404);
    assert.doesNotMatch((await stranger.get('/console/approvals')).html, new RegExp(page));
    const answer = await operator.post(`${page}/approve`, { content });
    assert.equal(answer.status, 303, answer.html);
    assert.equal((await refundsOf(id)).length, 1);
  });

  it('can be proposed by a one-time link, which cannot approve', async () => {
    const { merchantId } = merchant;
    const link = await signIn(service, { role: 'finance', merchantId, name: 'Lin' });
    const { id, page, content } = await proposeAll(link);
    const second = await signIn(service, { role: 'finance', merchantId, name: 'Lou' });
    assert.match((await second.get(page)).html, /by a one-time link, which cannot approve/);
    const refused = await second.post(`${page}/approve`, { content });
    assert.equal(refused.status, 422);
    assert.match(refused.html, /A session of a one-time link cannot approve/);
    await ada.post(`${page}/approve`, { content });
    assert.deepEqual(await refundsOf(id), []);
    await bob.post(`${page}/approve`, { content });
    assert.equal((await refundsOf(id)).length, 1);
  });

  it('is refused to a person whose role has ended meanwhile', async () => {
    const { id, page, content } = await proposeAll();
    const former = await visitAsPerson(service, {
      subject: 'carl',
      grants: [grantOf('support', merchant), grantOf('finance', other)],
    });
    assert.equal((await former.post(`${page}/approve`, { content })).status, 404);
    assert.deepEqual(await refundsOf(id), []);
  });

  it('fails with its reason when the money has been refunded meanwhile', async () => {
    const { id, page, content } = await proposeAll();
    const headers = merchant.headers;
    const body = { amount: 1, merchantRefundId: 'meanwhile' };
    await service.call('POST', `/v1/payment-requests/${id}/refunds`, { headers, body });
    const answer = await bob.post(`${page}/approve`, { content });
    assert.equal(answer.location, `${page}?done=approved`);
    const { html } = await bob.get(page);
    assert.match(html, /the facts had changed since the proposal/);
    assert.match(html, /When it was to happen/);
    assert.equal((await refundsOf(id)).length, 1);
  });
});

describe('a template of e-mails that a person of the merchant changes', () => {
  it('is read and withdrawn by its proposer, and decided by an operator who sees the mail', async () => {
    const path = `/console/m/${merchant.merchantId}/templates`;
    const save = (version: string, subject: string) =>
      bob.post(`${path}/save`, {
        ...{ id: 'autumn', version, language: 'fr', footer: 'Ouvert le lundi' },
        'REQUEST.subject': subject,
      });
    const propose = async (version: string, subject: string) => {
      assert.equal((await save(version, subject)).location, `${path}?done=templateProposed`);
      const { html } = await bob.get('/console/approvals');
      return /\/console\/approvals\/[0-9a-f-]{36}/.exec(html)?.[0] ?? assert.fail(html);
    };
    const first = await propose('0', 'Bonjour {merchant}');
    const own = await bob.get(first);
    assert.match(own.html, /You have proposed it/);
    assert.doesNotMatch(own.html, new RegExp(`${first}/approve`));
    assert.equal((await ada.post(`${first}/approve`, { content: 'x' })).status, 404);
    assert.equal((await bob.post(`${first}/withdraw`, {})).status, 303);

    const second = await propose('0', 'Salut {merchant}');
    const stranger = await visitAsPerson(service, {
      subject: 'eve',
      grants: [grantOf('administrator', other)],
    });
    for (const page of [second, `${second}/preview`]) {
      assert.equal((await stranger.get(page)).status, 404);
    }
    const { html } = await operator.get(second);
    assert.match(html, /<dt>Subject<\/dt><dd><span lang="fr">Salut \{merchant\}<\/span>/);
    assert.match(html, /<dt>Footer[^<]*\(Français\)<\/dt><dd><span lang="fr">Ouvert le lundi</);
    assert.doesNotMatch(html, /&#34;texts|"texts"/, 'no JSON');
    const [, frame = ''] = /<iframe class="mail"[^>]* src="([^"]+)"/.exec(html) ?? [];
    const mail = await operator.get(frame.replaceAll('&#38;', '&').replaceAll('&#61;', '='));
    assert.match(mail.html, /<title>Salut Maple Bikes<\/title>[\s\S]*Ouvert le lundi/);
    assert.match(mail.headers.get('content-security-policy') ?? '', /sandbox/);
    const content = /<code>([0-9a-f]{64})<\/code>/.exec(html)?.[1] ?? '';
    const approved = await operator.post(`${second}/approve`, { content });
    assert.equal(approved.location, `${second}?done=executed`);
    const log = await operator.get('/console/operator/audit');
    assert.match(log.html, />Changed a template of messages to payers · autumn</);
    assert.equal((await bob.get(`/console/m/${merchant.merchantId}/template/autumn`)).status, 200);
  });
});
