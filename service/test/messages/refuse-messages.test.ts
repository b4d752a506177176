import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import { type SmtpServer, startSmtpServer } from '../support/mail/smtp-server.ts';
import { linkBecomes } from '../support/messages/link-becomes.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import {
  type PaymentRequestCalls,
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../support/payment-requests/payment-requests.ts';
import {
  callAt,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let server: SmtpServer;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  server = await startSmtpServer();
  service = await startTestService({
    environment: 'production',
    settings: { MAIL_SMTP_URL: server.url, MAIL_FROM: 'pay@pay.example' },
  });
});
after(async () => {
  await service.stop();
  await server.close();
});
beforeEach(async () => {
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});

const link = (email = 'Ada@Example.com') =>
  calls.create({ deliveryMode: 'EMAIL', payer: { ...SMALLEST_BODY.payer, email } });

const untilLinkIs = (id: string, status: string) =>
  linkBecomes({ service, calls }, id, status, 10_000);

/** The path of the link by which the recipient refuses. */
async function refusalOf(paymentLink: string): Promise<string> {
  const mail = await eventually(
    () => server.mails.find(({ data }) => data.includes(paymentLink)),
    'the mail',
    10_000,
  );
  const [, path] = /https:\/\/pay\.test(\/messages\/[0-9a-f]{64})/.exec(mail.data) ?? [];
  assert.ok(path, mail.data);
  return path;
}

const page = (method: string, path: string, body?: string) =>
  callAt(service.url + path, method, {
    ...(body !== undefined && {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  });

describe('“I did not order this”', () => {
  it('stops every message of the merchant to the address, and tells the merchant', async () => {
    const { json: first } = await link();
    await untilLinkIs(first.id, 'SENT');
    const path = await refusalOf(first.paymentLink);
    const asked = await page('GET', path);
    assert.equal(asked.status, 200, asked.text);
    assert.match(asked.text, /<form method="post">/);
    const { json: second } = await link('ada@EXAMPLE.com');
    await untilLinkIs(second.id, 'SENT');

    const done = await page('POST', path, '');
    assert.equal(done.status, 200, done.text);
    assert.doesNotMatch(done.text, /<form method="post">/);
    await page('POST', path, '');

    const { json: third } = await link('ada@example.com');
    const held = await untilLinkIs(third.id, 'SUPPRESSED');
    assert.equal(held.linkMessage.reason, 'RECIPIENT_REFUSED');
    const read = (await calls.read(first.id)).json;
    assert.deepEqual([read.status, read.linkMessage.reason], ['CREATED', 'RECIPIENT_REFUSED']);
    await eventually(
      async () => {
        const feed = await service.call('GET', '/v1/events?eventTypes=MESSAGE-UNDELIVERED', {
          headers: merchant.headers,
        });
        assert.deepEqual(
          feed.json.data.map(({ resource }: { resource: { id: string } }) => resource.id),
          [first.id, third.id],
        );
        return true;
      },
      'both events',
      10_000,
    );
    const { json: timeline } = await calls.timeline(first.id);
    assert.deepEqual(
      timeline.data
        .filter(({ type }: { type: string }) => type === 'MESSAGE_CHANGED')
        .map(({ status }: { status: string }) => status),
      ['SENT', 'SUPPRESSED'],
    );
  });

  it('reaches no other merchant and no other address', async () => {
    const { json: first } = await link();
    await untilLinkIs(first.id, 'SENT');
    await page('POST', await refusalOf(first.paymentLink), '');
    const { json: other } = await link('grace@example.com');
    await untilLinkIs(other.id, 'SENT');
    calls = paymentRequestCalls(service, await service.createMerchant());
    const { json: elsewhere } = await link();
    await untilLinkIs(elsewhere.id, 'SENT');
  });

  it('changes nothing when a program opens the link, or guesses one', async () => {
    const { json } = await link();
    await untilLinkIs(json.id, 'SENT');
    const path = await refusalOf(json.paymentLink);
    for (let time = 0; time < 3; time += 1) await page('GET', path);
    await page('HEAD', path);
    const forged = path.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    for (const bad of [forged, '/messages/0', `/messages/${'0'.repeat(64)}`]) {
      assert.equal((await page('POST', bad, '')).status, 404, bad);
    }
    const { json: next } = await link();
    await untilLinkIs(next.id, 'SENT');
  });

  it('is lifted by an operator alone, and the audit log names no address', async () => {
    const { json: first } = await link();
    await untilLinkIs(first.id, 'SENT');
    await page('POST', await refusalOf(first.paymentLink), '');
    const lift = ['messages', 'lift', '--merchant', merchant.merchantId];
    const nothing = await runCli([...lift, '--email', 'eve@example.com'], service.env);
    assert.notEqual(nothing.exitCode, 0);
    const lifted = await runCli([...lift, '--email', 'ada@example.com'], service.env);
    assert.equal(lifted.exitCode, 0, lifted.stderr);
    const { json: next } = await link();
    await untilLinkIs(next.id, 'SENT');
    const rows = await service.database.sql<{ details: object }>(
      `SELECT details FROM audit_log WHERE action = 'MESSAGE_SUPPRESSION_LIFTED'`,
    );
    assert.deepEqual(rows.at(-1)?.details, { channel: 'EMAIL' });
  });
});

describe('an opt-out of reminders', () => {
  it('is one POST of the mail program, and stops reminders alone', async () => {
    const expiryDateTime = new Date(service.clock.now().getTime() + 6_000_000).toISOString();
    const { json } = await calls.create({
      deliveryMode: 'EMAIL',
      payer: { ...SMALLEST_BODY.payer, email: 'opt@example.com' },
      expiryDateTime,
      delivery: { reminders: [1], quietHours: false },
    });
    await untilLinkIs(json.id, 'SENT');
    await service.advance(2_400);
    const mail = await eventually(
      async () => {
        await service.advance(1);
        return server.mails.find(
          ({ data }) => data.includes(json.paymentLink) && data.includes('Subject: Reminder'),
        );
      },
      'the reminder',
      10_000,
    );
    assert.match(mail.data, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const head = mail.data.split('\r\n\r\n')[0]?.replaceAll('\r\n ', '') ?? '';
    const [, path = ''] =
      /^List-Unsubscribe:\s*<https:\/\/pay\.test(\/messages\/[0-9a-f]{64}\/reminders)>/m.exec(
        head,
      ) ?? [];
    assert.match((await page('GET', path)).text, /Send no more reminders/);
    const done = await page('POST', path, 'List-Unsubscribe=One-Click');
    assert.equal(done.status, 200, done.text);
    const later = new Date(service.clock.now().getTime() + 6_000_000).toISOString();
    calls = paymentRequestCalls(service, merchant);
    const { json: next } = await calls.create({
      deliveryMode: 'EMAIL',
      payer: { ...SMALLEST_BODY.payer, email: 'opt@example.com' },
      expiryDateTime: later,
      delivery: { reminders: [1], quietHours: false },
    });
    await untilLinkIs(next.id, 'SENT');
    await service.database.sql(
      `UPDATE messages SET due_at = service_now(), next_attempt_at = service_now()
       WHERE payment_request_id = $1 AND kind = 'REMINDER'`,
      [next.id],
    );
    await eventually(
      async () => {
        await service.advance(1);
        const [row] = await service.database.sql<{ status: string; reason: string }>(
          `SELECT status, reason FROM messages WHERE payment_request_id = $1 AND kind = 'REMINDER'`,
          [next.id],
        );
        assert.deepEqual({ ...row }, { status: 'SUPPRESSED', reason: 'OPTED_OUT' });
        return true;
      },
      'the held reminder',
      10_000,
    );
  });
});

describe('the page of a payment', () => {
  /** A payment request that its payer has paid, with the page that says so. */
  async function paid(members: object = {}) {
    const { json } = await calls.create({ payer: SMALLEST_BODY.payer, ...members });
    const payer = createPayer(service);
    const confirm = await payer.signIn(json.paymentLink, 'approve');
    return { ...json, payer, page: await payer.send(confirm, { decision: 'confirm' }) };
  }
  const ask = (paymentLink: string) => page('POST', `${new URL(paymentLink).pathname}/receipt`, '');
  const receiptsOf = (id: string) =>
    service.database.sql<{ status: string }>(
      `SELECT status FROM messages WHERE payment_request_id = '${id}' AND kind = 'RECEIPT'`,
    );

  it('offers a receipt to the known address, and sends one, however often it is asked', async () => {
    const asked = await paid();
    assert.match(asked.page.text, /E-mail me a receipt to a…@example\.com/);
    assert.doesNotMatch(asked.page.html, /ada@example\.com/);
    for (const _ of [1, 2]) {
      const { status, headers } = await ask(asked.paymentLink);
      assert.equal(status, 303);
      const after = await asked.payer.open(headers.get('location') ?? '');
      assert.match(after.text, /A receipt goes to a…@example\.com\./);
      assert.doesNotMatch(after.text, /E-mail me a receipt/);
    }
    await eventually(async () => {
      await service.advance(1);
      assert.deepEqual(await receiptsOf(asked.id), [{ status: 'SENT' }]);
      return true;
    }, 'the receipt');
    const { networkReference } = (await calls.read(asked.id)).json.payment;
    assert.equal(server.mails.filter(({ data }) => data.includes(networkReference)).length, 1);
  });

  it('says where the receipt goes that the merchant has asked for', async () => {
    const { page } = await paid({ delivery: { receipt: true } });
    assert.match(page.text, /A receipt goes to a…@example\.com\./);
    assert.doesNotMatch(page.text, /E-mail me a receipt/);
  });

  it('offers none without an address, and sends none before the payment or after an erasure', async () => {
    const byPhone = await paid({ payer: { name: 'Ada', mobileNumber: '+15145550142' } });
    assert.doesNotMatch(byPhone.page.text, /receipt/i);
    const erased = await paid();
    const erase = ['payer', 'erase', '--merchant', merchant.merchantId, '--yes'];
    await runCli([...erase, '--payment-request', erased.id], service.env);
    const open = (await calls.create({})).json;
    for (const each of [byPhone, open, erased]) {
      assert.equal((await ask(each.paymentLink)).status, 303);
      assert.deepEqual(await receiptsOf(each.id), []);
    }
    assert.equal((await ask('https://pay.test/pay/none')).status, 404);
  });
});
