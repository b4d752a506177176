import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { eventually } from '../support/eventually.ts';
import { linkBecomes } from '../support/messages/link-becomes.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import { createPaid, refundCalls } from '../support/refunds/refund-calls.ts';
import { callAt, type TestMerchant } from '../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

const PAYER = { name: 'Grace Canary', email: 'grace.canary@example.com' };
const UNKNOWN_ID = '0199a1b2-0000-7000-8000-000000000000';

describe('the page of a payment request', () => {
  let service: WebhookService;
  let shop: TestMerchant;
  let listener: HttpsListener;
  let support: ConsoleClient;
  let viewer: ConsoleClient;
  let administrator: ConsoleClient;
  let operator: ConsoleClient;

  before(async () => {
    service = await startWebhookService();
    shop = await service.createMerchant({ name: 'Own Shop' });
    listener = await startHttpsListener({ authority: service.authority });
    const { merchantId } = shop;
    support = await signIn(service, { role: 'support', merchantId, name: 'Sam Support' });
    viewer = await signIn(service, { role: 'viewer', merchantId });
    administrator = await signIn(service, { role: 'administrator', merchantId });
    operator = await signIn(service, { role: 'operator', name: 'Olga Operator' });
  });
  after(async () => {
    await listener?.close();
    await service?.stop();
  });

  const calls = () => paymentRequestCalls(service, shop);
  const create = async (members: object = {}) =>
    (await calls().create({ payer: PAYER, ...members })).json;
  const pathOf = (id: string) => `/console/m/${shop.merchantId}/payment-requests/${id}`;
  const titlesIn = (html: string) =>
    [...html.matchAll(/<p class="(?:what|step)">([^<]*)/g)].map((match) => decoded(`${match[1]}`));
  const outcomesIn = (html: string) =>
    [...html.matchAll(/name="outcome" value="(\w+)"/g)].map((match) => match[1]);
  const audited = (action: string) =>
    service.database.sql<{ actor: string; details: Record<string, unknown> }>(
      `SELECT actor, details FROM audit_log WHERE action = '${action}' ORDER BY id`,
    );

  it('tells everything that happened in one list, the newest first', async () => {
    const { id } = await create({ merchantTransactionId: 'order-1' });
    await service.advance(1);
    await calls().update(id, { displayMessage: 'Thank you' });
    await service.advance(1);
    // A cursor of the ledger would wait for the end of every transaction that began before.
    const { html, status } = await service.database.db.transaction(async (tx) => {
      await tx.query({ name: '', text: 'SELECT pg_current_xact_id()' });
      await calls().simulate(id, { outcome: 'PAID' });
      return support.get(pathOf(id));
    });
    assert.equal(status, 200);
    const titles = titlesIn(html);
    assert.deepEqual(titles, [
      'The payment arrived',
      'Ledger: Payment, $12.34',
      'Webhook “payment completed” was made',
      'Payment request changed',
      'Payment request created',
    ]);
    assert.match(html, /No listener was registered for this event: nothing was sent\./);
    assert.match(html, /Grace Canary<br>grace\.canary@example\.com/);
    assert.equal([...html.matchAll(/API call <code>[\w-]+<\/code>/g)].length, 3);
    const [title = ''] = /<title>.*<\/title>/.exec(html) ?? [];
    assert.ok(title.includes(id) && !/canary/i.test(title), title);
  });

  it('shows the body of an event as it was sent, and each attempt with its answer', async () => {
    listener.answerWith((_request, response) => {
      response.writeHead(500).end('<b>broken</b>');
    });
    const { id } = await create({ webhookUrl: listener.url });
    await calls().simulate(id, { outcome: 'FAILED' });
    const [sent] = await listener.received(1);
    const page = await eventually(async () => {
      const { html } = await support.get(pathOf(id));
      return titlesIn(html).includes('Webhook “payment not made”, attempt 1') && html;
    });
    assert.ok(sent && decoded(page).includes(`<code>${sent.body}</code>`), 'the body');
    assert.match(page, /Answered 500 in/);
    assert.ok(!page.includes('<b>broken</b>'));
    assert.ok(decoded(page).includes('<b>broken</b>'));
    assert.match(page, /authorization: Basic ••••••/);
    assert.match(page, /webhook-signature: v1,••••••/);
  });

  it('cancels for support, and for an operator in the words of one, each in the audit log', async () => {
    const own = await create();
    const cancelled = await support.post(`${pathOf(own.id)}/cancel`, {
      reason: 'DUPLICATE',
      comment: 'Ordered twice',
    });
    assert.equal(cancelled.location, `${pathOf(own.id)}?done=cancelled`);
    const { html } = await support.get(cancelled.location ?? '');
    assert.match(html, /The payment request is cancelled\./);
    assert.match(html, /Ordered twice/);
    assert.ok(titlesIn(html).includes('Sam Support cancelled the payment request'));
    const told =
      /<p class="notice neutral">Sam Support cancelled the payment request\. Duplicate\.</;
    assert.match(html, told);
    assert.doesNotMatch(html, /Requested by the operator/);
    assert.doesNotMatch(html, /\/cancel"/);

    const other = await create();
    await operator.post(`${pathOf(other.id)}/cancel`, { reason: 'OTHER' });
    const theirs = await viewer.get(pathOf(other.id));
    assert.match(theirs.html, /Requested by the operator of the service/);
    const entries = await audited('PAYMENT_REQUEST_CANCELLED');
    assert.deepEqual(
      entries.map(({ actor, details }) => [actor, details]),
      [
        ['console (Sam Support, by link)', { paymentRequestId: own.id, reason: 'DUPLICATE' }],
        ['console (Olga Operator, by link)', { paymentRequestId: other.id, reason: 'OTHER' }],
      ],
    );
  });

  it('says why a payment request cannot be cancelled, and changes nothing', async () => {
    const { id } = await create();
    await calls().simulate(id, { outcome: 'PAID' });
    const { status, html } = await support.post(`${pathOf(id)}/cancel`, { reason: 'OTHER' });
    assert.equal(status, 409);
    assert.match(html, /This cannot be done/);
    assert.equal((await calls().read(id)).json.status, 'PAID');
    const open = await create();
    const long = await support.post(`${pathOf(open.id)}/cancel`, { comment: 'x'.repeat(251) });
    assert.equal(long.status, 400);
    assert.match(long.html, /Give comment with at most 250 characters/);
    assert.equal((await calls().read(open.id)).json.status, 'CREATED');
  });

  it('simulates the outcomes that are possible now, by buttons', async () => {
    const { id } = await create();
    const before = await support.get(pathOf(id));
    assert.deepEqual(outcomesIn(before.html), [
      ...['PAID', 'FAILED', 'EXPIRED', 'PROCESSING', 'PART_PAYMENT'],
    ]);
    const { location } = await support.post(`${pathOf(id)}/simulate`, { outcome: 'EXPIRED' });
    const after = await support.get(location ?? '');
    assert.match(after.html, /The simulator has reported the outcome/);
    assert.deepEqual(outcomesIn(after.html), ['PAID', 'PART_PAYMENT']);
    const none = await support.post(`${pathOf(id)}/simulate`, { outcome: 'RICH' });
    assert.equal(none.status, 400);
    assert.match(
      none.html,
      /Give outcome as PAID or FAILED or EXPIRED or PROCESSING or RETURNED or/,
    );
    const [entry] = await audited('OUTCOME_SIMULATED');
    assert.deepEqual(entry?.details, {
      paymentRequestId: id,
      outcome: 'EXPIRED',
      status: 'EXPIRED',
    });
  });

  it('simulates a refusal with its reason, and money in parts, twice and back', async () => {
    const simulate = (id: string, fields: Record<string, string>) =>
      support.post(`${pathOf(id)}/simulate`, fields);
    const failed = await create();
    await simulate(failed.id, { outcome: 'FAILED', reason: 'INSUFFICIENT_FUNDS' });
    const { status, statusReason } = (await calls().read(failed.id)).json;
    assert.deepEqual([status, statusReason.code], ['FAILED', 'INSUFFICIENT_FUNDS']);
    const unknown = await simulate(failed.id, { outcome: 'FAILED', reason: 'BORED' });
    assert.equal(unknown.status, 400);
    assert.match(unknown.html, /Give reason as PAYER_DECLINED or/);

    const { id } = await create();
    await simulate(id, { outcome: 'PART_PAYMENT' });
    assert.match(
      (await support.get(pathOf(id))).html,
      /<p class="notice warning">\$6\.17 of \$12\.34 is still missing\. <a href/,
    );
    assert.match(
      (await support.get(pathOf(id))).html,
      /<dt>Received<\/dt><dd><span class="amount">\$6\.17</,
    );
    await simulate(id, { outcome: 'PAID', reason: 'PAYER_DECLINED' });
    const paid = await support.get(pathOf(id));
    assert.deepEqual(outcomesIn(paid.html), ['RETURNED', 'SECOND_PAYMENT']);
    await simulate(id, { outcome: 'SECOND_PAYMENT' });
    await simulate(id, { outcome: 'RETURNED' });
    const { html } = await support.get(pathOf(id));
    assert.deepEqual(outcomesIn(html), ['SECOND_PAYMENT']);
    assert.equal((await simulate(id, { outcome: 'RETURNED' })).status, 409);
    const told = (await audited('OUTCOME_SIMULATED')).map(({ details }) => details);
    assert.deepEqual(
      told.filter(({ paymentRequestId }) => paymentRequestId === id).map(({ outcome }) => outcome),
      ['PART_PAYMENT', 'PAID', 'SECOND_PAYMENT', 'RETURNED'],
    );
  });

  it('simulates the outcomes of a refund that are possible now, beside the refund', async () => {
    const id = await createPaid(service, shop);
    const refunds = refundCalls(service, shop);
    const [first, second] = [
      (await refunds.created(id, { amount: 5 })).json,
      (await refunds.created(id, { amount: 1 })).json,
    ];
    const simulate = (refundId: string, fields: Record<string, string>) =>
      support.post(`${pathOf(id)}/refunds/${refundId}/simulate`, fields);
    const outcomesOf = async (refundId: string) => {
      const [, form = ''] = (await support.get(pathOf(id))).html.split(`${refundId}/simulate"`);
      return outcomesIn(form.split('</form>')[0] ?? '');
    };
    assert.deepEqual(await outcomesOf(first.id), ['COMPLETED', 'FAILED']);
    const completed = await simulate(first.id, { outcome: 'COMPLETED', reason: 'NETWORK_TIMEOUT' });
    assert.equal(completed.location, `${pathOf(id)}?done=reported`);
    assert.deepEqual(await outcomesOf(first.id), ['RETURNED']);
    await simulate(first.id, { outcome: 'RETURNED' });
    assert.deepEqual(await outcomesOf(first.id), []);
    const refused = await simulate(first.id, { outcome: 'COMPLETED' });
    assert.equal(refused.status, 409);
    assert.match(refused.html, /The refund cannot get this outcome in its status\./);
    const wrong = await simulate(second.id, { outcome: 'FAILED', reason: 'REFUND_RETURNED' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.html, /Give reason as AUTHENTICATION_FAILED or/);
    await simulate(second.id, { outcome: 'FAILED', reason: 'PAYER_ACCOUNT_UNKNOWN' });
    const { json } = await refunds.read(second.id);
    assert.deepEqual([json.status, json.statusReason.code], ['FAILED', 'PAYER_ACCOUNT_UNKNOWN']);
    const { html } = await support.get(pathOf(id));
    const notice =
      /<p class="notice bad">The refund of \$1\.00 failed\. The account that paid is not/;
    assert.match(html, notice);
    // Another refund would fail as this one: it is no primary act.
    const toRefund = /<a class="button quiet" href="[^"]+\/refund">Refund</;
    assert.match((await administrator.get(pathOf(id))).html, toRefund);
    // A phone shows the reason before the acts, as the document has it.
    assert.match(html, /class="page-head"[\s\S]*class="notice bad"[\s\S]*class="actions"/);
    assert.ok(titlesIn(html).includes('Sam Support simulated an outcome'));
    const [entry] = (await audited('OUTCOME_SIMULATED')).reverse();
    assert.deepEqual(entry?.details, {
      ...{ refundId: second.id, outcome: 'FAILED', reason: 'PAYER_ACCOUNT_UNKNOWN' },
      status: 'FAILED',
    });
  });

  it('advances the time of a payment request by seconds, and names a wrong number', async () => {
    const { id } = await create();
    const advance = (seconds: string) => support.post(`${pathOf(id)}/advance`, { seconds });
    for (const [seconds, why] of [
      ['0', /Give seconds as at least 1\./],
      ['31536001', /Give seconds as at most 31536000\./],
      ['soon', /Give seconds as an integer\./],
    ] as const) {
      const refused = await advance(seconds);
      assert.equal(refused.status, 400, seconds);
      assert.match(refused.html, why);
    }
    assert.equal((await advance('259200')).location, `${pathOf(id)}?done=advanced`);
    await eventually(async () => (await calls().read(id)).json.status === 'EXPIRED', 'it expires');
    const [entry] = (await audited('OUTCOME_SIMULATED')).reverse();
    assert.deepEqual(entry?.details, { paymentRequestId: id, seconds: 259_200 });
  });

  it('has no acts for a viewer, and names to them no identity of a person', async () => {
    const { id } = await create();
    await operator.post(`${pathOf(id)}/simulate`, { outcome: 'PROCESSING' });
    const { html } = await viewer.get(pathOf(id));
    assert.doesNotMatch(html, /\/(cancel|simulate|advance|redeliver|refund)"/);
    assert.ok(titlesIn(html).includes('Olga Operator simulated an outcome'));
    assert.doesNotMatch(html, /by link/);
    const full = await administrator.get(pathOf(id));
    assert.match(full.html, /&#34;actor&#34;: &#34;Olga Operator&#34;/);
    assert.doesNotMatch(full.html, /by link/);
    assert.match((await operator.get(pathOf(id))).html, /console \(Olga Operator, by link\)/);
  });

  it('shows the QR code of the link and a receipt to print', async () => {
    const { id, shortCode } = await create({ invoiceNumber: 'INV-9' });
    const page = await viewer.get(pathOf(id));
    assert.ok(page.html.includes(`https://pay.test/pay/${shortCode}`));
    const code = await viewer.get(`${pathOf(id)}/qr.svg`);
    assert.equal(code.headers.get('content-type'), 'image/svg+xml');
    assert.match(code.html, /^<svg/);
    const unpaid = await viewer.get(`${pathOf(id)}/receipt`);
    assert.match(unpaid.html, /This is no receipt/);
    await calls().simulate(id, { outcome: 'PAID' });
    const { html } = await viewer.get(`${pathOf(id)}/receipt`);
    assert.match(html, /<h1>Receipt<\/h1>/);
    assert.match(html, /INV-9/);
    assert.doesNotMatch(html, /no receipt/);
  });

  it('tells an open page of a change, and nothing of another merchant’s payment request', async () => {
    const { id } = await create();
    const { html } = await viewer.get(pathOf(id));
    const [, address = ''] = /data-live="([^"]+)"/.exec(decoded(html)) ?? [];
    const ask = async (at: string) => {
      const { html: text } = await viewer.get(at, { accept: 'application/json' });
      return JSON.parse(text).hasChanged;
    };
    assert.equal(await ask(address), false);
    await calls().simulate(id, { outcome: 'PROCESSING' });
    await eventually(() => ask(address), 'the change is told');
    const other = await service.createMerchant({ name: 'Other Shop' });
    const theirs = (await paymentRequestCalls(service, other).create()).json;
    for (const unknown of [theirs.id, UNKNOWN_ID, 'nonsense']) {
      assert.equal(await ask(`${pathOf(unknown)}/live?seen=0`), false, unknown);
      assert.equal((await viewer.get(pathOf(unknown))).status, 404, unknown);
    }
  });

  it('shows the messages to the payer, and in the sandbox what the payer would read', async () => {
    const { id, paymentLink } = await create({ deliveryMode: 'EMAIL' });
    await linkBecomes({ service, calls: calls() }, id, 'SENT');
    const { html } = await viewer.get(pathOf(id));
    assert.ok(titlesIn(html).includes('Payment link by e‑mail: sent'));
    const [, path = ''] = /<a href="([^"]+)"\s*>Payment link by e‑mail<\/a>/.exec(html) ?? [];
    assert.match(html, /One attempt<\/summary>/);
    const message = await viewer.get(path);
    assert.match(message.html, /<iframe class="mail" sandbox\s/);
    assert.ok(decoded(message.html).includes('\nTo: grace.canary@example.com'), message.html);
    assert.match(message.html, /Auto-Submitted: auto-generated/);
    const policy = message.headers.get('content-security-policy') ?? '';
    assert.match(policy, /; frame-ancestors 'none'; frame-src 'self'$/);
    const mail = await viewer.get(`${path}/html`);
    assert.ok(mail.html.includes(`href="${paymentLink}"`), mail.html);
    assert.equal(
      mail.headers.get('content-security-policy'),
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'self'",
    );
    const without = await create({ deliveryMode: 'NONE' });
    const empty = await viewer.get(pathOf(without.id));
    assert.doesNotMatch(empty.html, /id="messages"/);
  });

  it('sends the link again for support, and refuses the sixth time of a day at the act', async () => {
    const { id } = await create();
    const send = (channel: string) => support.post(`${pathOf(id)}/messages`, { channel });
    for (let time = 0; time < 5; time += 1) {
      assert.equal((await send('EMAIL')).location, `${pathOf(id)}?done=linkSent`);
    }
    const { location } = await send('EMAIL');
    assert.match(location ?? '', /\?again=\d{4}-\d\d-\d\dT[\d:.]+Z#messages$/);
    const { html } = await support.get(location ?? '');
    assert.match(html, /role="alert">The link was sent again 5 times in 24 hours/);
    assert.ok(titlesIn(html).includes('Sam Support sent the payment link again'));
    assert.doesNotMatch(html, /by SMS<\/button>/);
    assert.equal((await send('SMS')).status, 400);
    assert.equal((await viewer.post(`${pathOf(id)}/messages`, { channel: 'EMAIL' })).status, 403);
    assert.equal((await audited('LINK_SENT_AGAIN')).length, 5);
    await calls().cancel(id);
    assert.equal((await send('EMAIL')).status, 409);
    assert.doesNotMatch((await support.get(pathOf(id))).html, /name="channel"/);
  });

  it('counts a link that did not arrive until another one is on its way', async () => {
    const email = 'bounce@example.com';
    const { id } = await create({ deliveryMode: 'EMAIL', payer: { ...PAYER, email } });
    const list = `/console/m/${shop.merchantId}/messages`;
    const counted = async () => {
      const html = decoded((await support.get('/console')).html);
      const [, inMenu = '0'] =
        /\/messages">[^<]*<span class="count warning">(\d+)/.exec(html) ?? [];
      const [, tile = '0'] =
        /\/messages\?undelivered=yes">[^<]*<\/a><\/h3><p class="number">(\d+)/.exec(html) ?? [];
      const rows = (await support.get(`${list}?undelivered=yes`)).html.match(/<a class="row"/g);
      return [inMenu, tile, `${rows?.length ?? 0}`];
    };
    assert.deepEqual(await counted(), ['0', '0', '0']);
    await linkBecomes({ service, calls: calls() }, id, 'BOUNCED');
    assert.deepEqual(await counted(), ['1', '1', '1']);
    await calls().update(id, { payer: { email: 'new@example.com' } });
    await support.post(`${pathOf(id)}/messages`, { channel: 'EMAIL' });
    assert.deepEqual(await counted(), ['0', '0', '0']);
  });

  it('lists recipients who refused, without an address, and lets operators alone lift', async () => {
    const { id } = await create({ deliveryMode: 'EMAIL', invoiceNumber: 'INV-REFUSED' });
    await linkBecomes({ service, calls: calls() }, id, 'SENT');
    const [{ text } = { text: '' }] = await service.database.sql<{ text: string }>(
      `SELECT i.text FROM message_inbox i JOIN messages g ON g.id = i.message_id
       WHERE g.payment_request_id = $1`,
      [id],
    );
    const [, refusal = ''] = /https:\/\/pay\.test(\/messages\/[0-9a-f]{64})/.exec(text) ?? [];
    await callAt(service.url + refusal, 'POST', {
      body: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const list = `/console/m/${shop.merchantId}/suppressions`;
    const { html } = await administrator.get(list);
    assert.match(html, /INV-REFUSED<\/a>/);
    assert.match(html, /The recipient wants no more messages from this merchant\./);
    assert.doesNotMatch(html, /@example|\/lift"/);
    const theirs = await operator.get('/console/operator/suppressions');
    const [, lift = ''] =
      /action="\/console([^"]+\/RECIPIENT_REFUSED\/lift)"/.exec(theirs.html) ?? [];
    const [, message] = /suppressions\/([^/]+)/.exec(lift) ?? [];
    assert.equal((await administrator.post(`/console${lift}`)).status, 403);
    assert.equal((await administrator.post(`${list}/${message}/lift`)).status, 404);
    const lifted = await operator.post(`/console${lift}`);
    assert.equal(lifted.location, '/console/operator/suppressions?done=suppressionLifted');
    assert.equal((await operator.post(`/console${lift}`)).status, 404);
    await service.database.sql(
      `INSERT INTO message_suppressions (merchant_id, channel, address_hash, reason, message_id)
       VALUES ($1, 'EMAIL', sha256('x'), 'BOUNCED', $2)`,
      [shop.merchantId, message],
    );
    const own = `${list}/${message}/lift`;
    assert.ok((await administrator.get(list)).html.includes(`action="${own}"`));
    assert.equal((await viewer.post(own)).status, 403);
    assert.equal((await administrator.post(own)).location, `${list}?done=suppressionLifted`);
    const [entry] = await audited('MESSAGE_SUPPRESSION_LIFTED');
    assert.deepEqual(entry?.details, {
      ...{ channel: 'EMAIL', reason: 'RECIPIENT_REFUSED', messageId: message },
      paymentRequestId: id,
    });
  });

  it('speaks French', async () => {
    const { id } = await create();
    await calls().simulate(id, { outcome: 'PAID' });
    const { html } = await viewer.get(`${pathOf(id)}?lang=fr`);
    assert.match(html, /<h1>Grace Canary · 12,34\s\$/);
    assert.ok(titlesIn(html).includes('Le paiement est arrivé'));
    assert.match(html, /<span class="badge good" data-status="PAID">Payée<\/span>/);
    assert.match(html, /Aucune destination n’attendait cet événement/);
  });
});

/** The characters that a page writes as references. */
function decoded(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
