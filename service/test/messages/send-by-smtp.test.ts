import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { setTemplate } from '#messages/templates/change-template.ts';
import { visitAsPerson } from '../support/approvals/person-session.ts';
import { eventually } from '../support/eventually.ts';
import { type SmtpServer, startSmtpServer } from '../support/mail/smtp-server.ts';
import { linkBecomes } from '../support/messages/link-becomes.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../support/payment-requests/payment-requests.ts';
import type { TestMerchant } from '../support/service/service.ts';
import { startHttpsListener } from '../support/webhooks/https-listener.ts';
import { startWebhookService, type WebhookService } from '../support/webhooks/webhook-service.ts';

let service: WebhookService;
let server: SmtpServer;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;

before(async () => {
  server = await startSmtpServer();
  service = await startWebhookService({
    environment: 'production',
    settings: { MAIL_SMTP_URL: server.url, MAIL_FROM: 'pay@pay.example', TIME_ZONE: 'UTC' },
  });
});
after(async () => {
  await service.stop();
  await server.close();
});
beforeEach(async () => {
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
  server.behave({});
});

const link = (members: object = {}) => calls.create({ deliveryMode: 'EMAIL', ...members });
const to = (payer: object) => ({ payer: { ...SMALLEST_BODY.payer, ...payer } });

const untilLinkIs = (id: string, status: string) => linkBecomes({ service, calls }, id, status);

async function attempts(id: string) {
  const { json } = await service.call('GET', `/v1/payment-requests/${id}/messages`, {
    headers: merchant.headers,
  });
  return json.data[0];
}

async function mailOf(link: string) {
  return eventually(() => server.mails.find(({ data }) => data.includes(link)), 'the mail');
}

describe('an e-mail with the link', () => {
  it('has text and HTML, one link, no remote part, and headers of an automatic message', async () => {
    const { json } = await link({ displayMessage: 'Two chairs', invoiceNumber: 'INV-1' });
    await untilLinkIs(json.id, 'SENT');
    const { from, to: recipients, data } = await mailOf(json.paymentLink);
    assert.equal(from, 'pay@pay.example');
    assert.deepEqual(recipients, ['ada@example.com']);
    assert.match(data, /^From: Demo Shop <pay@pay\.example>\r$/m);
    assert.match(data, new RegExp(`^Message-ID: <${json.linkMessage.id}@pay\\.example>\\r$`, 'm'));
    assert.match(data, /^Auto-Submitted: auto-generated\r$/m);
    assert.match(data, /^Subject: Demo Shop asks you to pay \$12\.34\r$/m);
    assert.match(data, /Content-Type: text\/plain/);
    assert.match(data, /Content-Type: text\/html/);
    assert.match(data, /Two chairs/);
    const remote = [...data.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
    const refusals = remote.filter((url) => url?.startsWith('https://pay.test/messages/'));
    assert.equal(refusals.length, 1);
    assert.deepEqual([...new Set(remote)], [json.paymentLink, ...refusals]);
    assert.doesNotMatch(data, /<script|var\(--/);
    const sent = await attempts(json.id);
    assert.deepEqual([sent.attempts, sent.attemptLog.length, sent.preview], [1, 1, undefined]);
  });

  for (const [language, subject] of [
    ['fr', /vous demande de payer/],
    ['de', /bittet Sie/],
    ['es', /le pide que pague/],
    ['it', /le chiede di pagare/],
    ['nl', /vraagt u/],
    ['pt', /pede-lhe que pague/],
    ['ja', /asks you to pay/],
  ] as const) {
    it(`speaks ${language}, the payer’s language, or English`, async () => {
      const { json } = await link(to({ preferredLanguage: language }));
      await untilLinkIs(json.id, 'SENT');
      assert.match((await mailOf(json.paymentLink)).data, subject);
    });
  }

  it('has the subject and the address for answers of its template', async () => {
    const { merchantId } = merchant;
    const subject = '😀'.repeat(250);
    const template = {
      id: 'autumn',
      replyTo: 'orders@shop.example',
      texts: { en: { REQUEST: { subject } } },
    };
    const { clock, database } = service;
    const deps = { db: database.db, clock, actor: 'test' };
    await setTemplate(deps, { merchantId, template, version: null, isByMerchant: false });
    const { json } = await link({ emailTemplate: { id: 'autumn' } });
    await untilLinkIs(json.id, 'SENT');
    const { data } = await mailOf(json.paymentLink);
    assert.match(data, /^Reply-To: orders@shop\.example\r$/m);
    const [head = ''] = data.split('\r\n\r\n');
    const words = [...head.matchAll(/=\?utf-8\?b\?([^?]*)\?/gi)];
    const bytes = words.map(([, word = '']) => Buffer.from(word, 'base64'));
    assert.equal(Buffer.concat(bytes).toString(), subject);
  });

  it('is sent as a test to the verified address of the person who edits a template', async () => {
    const { merchantId } = merchant;
    const grants = [{ role: 'administrator', merchantId }] as const;
    const fields = { id: 'new', version: '0', language: 'en', 'RECEIPT.heading': 'Thanks' };
    const path = `/console/m/${merchantId}/templates`;
    await service.database.sql(
      `INSERT INTO merchant_profiles (merchant_id, display_name, support_email)
       VALUES ('${merchantId}', 'Harbour Books', 'help@shop.example')`,
    );
    const eve = await visitAsPerson(service, { subject: 'eve', grants });
    assert.doesNotMatch((await eve.get(`${path}/new`)).html, /Send a test to me/);
    assert.match((await eve.post(`${path}/test`, fields)).html, /did not take the test/);
    const ada = await visitAsPerson(service, { subject: 'ada', grants, email: 'ada@shop.example' });
    assert.match((await ada.get(`${path}/new`)).html, /Send a test to me/);
    const { html } = await ada.post(`${path}/test`, { ...fields, kind: 'RECEIPT' });
    assert.match(html, /The test was sent to ada@shop\.example[\s\S]*value="Thanks"/);
    const mail = server.mails.find(({ data }) => data.includes('Thanks'));
    assert.deepEqual(mail?.to, ['ada@shop.example']);
    assert.match(mail?.data ?? '', /^From: Harbour Books <pay@pay\.example>\r$/m);
    assert.match(mail?.data ?? '', /^Reply-To: help@shop\.example\r$/m);
    const foreign = { ...fields, footer: 'evil.example' };
    assert.equal((await ada.post(`${path}/test`, foreign)).status, 422);
  });

  it('makes no header and no link of what a merchant writes', async () => {
    await service.database.sql(
      `UPDATE merchants SET name = E'Shop\\r\\nBcc: eve@evil.test' WHERE id = '${merchant.merchantId}'`,
    );
    const evil = 'Pay at https://evil.test or eve@evil.test \u202egnp.exe';
    const { json } = await link({
      displayMessage: evil,
      ...to({ name: '<b>Ada</b> www.evil.test' }),
    });
    await untilLinkIs(json.id, 'SENT');
    const { data, to: recipients } = await mailOf(json.paymentLink);
    assert.deepEqual(recipients, ['ada@example.com']);
    assert.doesNotMatch(data, /^Bcc:/m);
    assert.doesNotMatch(data, /evil\.test|\u202e/);
    assert.doesNotMatch(data.split('text/html')[1] ?? '', /<b>Ada/);
    assert.match(data, /https:\u2060\/\/evil\.\u2060test/);
  });

  it('goes to an address with a comma, quotes or an internationalised domain', async () => {
    for (const [email, recipient] of [
      ['"a,b"@example.com', '"a,b"@example.com'],
      ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ] as const) {
      const { json } = await link(to({ email }));
      await untilLinkIs(json.id, 'SENT');
      assert.deepEqual((await mailOf(json.paymentLink)).to, [recipient]);
    }
  });
});

describe('a mail server', () => {
  it('learns no recipient once the payment request is cancelled', async () => {
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    server.behave({
      async before(command) {
        if (command !== 'MAIL') return;
        reached.resolve();
        await go.promise;
      },
    });
    const mails = server.mails.length;
    const { json } = await link();
    await service.advance(1);
    await reached.promise;
    const cancelled = await calls.cancel(json.id);
    assert.equal(cancelled.status, 200, cancelled.text);
    go.resolve();
    await untilLinkIs(json.id, 'CANCELLED');
    assert.equal(server.mails.length, mails);
  });

  it('that refuses the recipient for ever ends the message', async () => {
    server.behave({ answers: { RCPT: '550 no such user ada@example.com' } });
    const { json } = await link();
    const ended = await untilLinkIs(json.id, 'FAILED');
    assert.equal(ended.linkMessage.reason, 'REFUSED_BY_SERVER');
    assert.deepEqual((await attempts(json.id)).attemptLog[0].outcome, 'EENVELOPE 550');
  });

  it('that refuses the whole mail ends the message', async () => {
    server.behave({ answers: { '.': '554 spam' } });
    const { json } = await link();
    assert.equal((await untilLinkIs(json.id, 'FAILED')).linkMessage.reason, 'CONTENT_REFUSED');
  });

  for (const [what, behaviour] of [
    ['puts the recipient off', { answers: { RCPT: '451 try later' } }],
    ['is busy', { answers: { DATA: '421 busy' } }],
    ['breaks the connection after the mail', { breaksAfterData: true }],
  ] as const) {
    it(`that ${what} gets the message again after 30 seconds, with the same id`, async () => {
      server.behave(behaviour);
      const { json } = await link();
      await service.advance(1);
      await eventually(async () => (await attempts(json.id)).attempts === 1, 'an attempt');
      await eventually(async () => (await attempts(json.id)).attemptLog.length === 1, 'x');
      server.behave({});
      await service.advance(20);
      assert.equal((await calls.read(json.id)).json.linkMessage.status, 'SCHEDULED');
      await service.advance(10);
      await untilLinkIs(json.id, 'SENT');
      assert.equal((await attempts(json.id)).attempts, 2);
    });
  }

  it('that refuses the service holds all messages, is probed once a minute, and ends none', async () => {
    server.behave({ answers: { MAIL: '530 authentication required' } });
    const first = (await link()).json;
    await service.advance(1);
    await eventually(async () => (await attempts(first.id)).attemptLog.length === 1, 'x');
    const connections = server.connections();
    const second = (await link()).json;
    for (let second = 0; second < 50; second += 10) await service.advance(10);
    assert.equal(server.connections(), connections, 'no connection within a minute');
    await service.advance(11);
    await eventually(() => server.connections() === connections + 1, 'a probe');
    server.behave({});
    await service.advance(61);
    await untilLinkIs(first.id, 'SENT');
    await untilLinkIs(second.id, 'SENT');
  });

  it('that is away for a day fails what is then a day late', async () => {
    server.behave({ answers: { RCPT: '451 try later' } });
    const { json } = await link({
      expiryDateTime: new Date(service.clock.now().getTime() + 5 * 86_400_000).toISOString(),
    });
    let tried = 0;
    let reason: string | undefined;
    while (reason === undefined) {
      await service.advance(3_600);
      await eventually(async () => {
        const [row] = await service.database.sql<{ attempts: number; reason: string | null }>(
          `SELECT jsonb_array_length(attempt_log) AS attempts, reason FROM messages
             WHERE payment_request_id = '${json.id}'`,
        );
        reason = row?.reason ?? undefined;
        return (row?.attempts ?? 0) > tried;
      }, 'an attempt');
      tried += 1;
    }
    // The day begins with the first attempt.
    assert.deepEqual([reason, tried], ['OUT_OF_TIME', 25]);
  });
});

describe('a link that the merchant changes while it is on its way', () => {
  it('that never left is cancelled without a word to the payer', async () => {
    const begun = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    server.behave({
      async before(command) {
        if (command !== 'MAIL') return;
        begun.resolve();
        await cancelled.promise;
      },
    });
    const before = server.mails.length;
    const { json } = await link();
    await service.advance(1);
    await begun.promise;
    await calls.cancel(json.id);
    server.behave({});
    cancelled.resolve();
    await eventually(async () => {
      await service.advance(1);
      const rows = await service.database.sql<{ kind: string; status: string }>(
        `SELECT kind, status FROM messages WHERE payment_request_id = '${json.id}' ORDER BY kind`,
      );
      assert.deepEqual(rows, [
        { kind: 'CANCELLATION', status: 'CANCELLED' },
        { kind: 'REQUEST', status: 'CANCELLED' },
      ]);
      return true;
    }, 'both cancelled');
    assert.equal(server.mails.length, before);
  });

  it('is sent at its new time, also after an attempt that failed', async () => {
    server.behave({ answers: { RCPT: '451 try later' } });
    const { json } = await link();
    await eventually(async () => {
      await service.advance(1);
      return (await attempts(json.id)).attemptLog.length > 0;
    }, 'an attempt');
    server.behave({});
    const sendDateTime = new Date(service.clock.now().getTime() + 1_200_000).toISOString();
    const { status } = await calls.update(json.id, { delivery: { sendDateTime } });
    assert.equal(status, 200);
    assert.equal((await attempts(json.id)).scheduledDateTime, sendDateTime);
    await service.advance(1_200);
    await untilLinkIs(json.id, 'SENT');
    const { sentDateTime } = await attempts(json.id);
    assert.ok(sentDateTime >= sendDateTime, `${sentDateTime} is before ${sendDateTime}`);
  });
});

describe('a message whose row another transaction holds', () => {
  it('keeps no other merchant’s message waiting', async () => {
    const holder = new pg.Client({ connectionString: service.database.url });
    await holder.connect();
    const { json: held } = await link();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM messages WHERE payment_request_id = '${held.id}' FOR UPDATE`);
    calls = paymentRequestCalls(service, await service.createMerchant());
    const { json } = await link();
    await untilLinkIs(json.id, 'SENT').finally(() => holder.end());
  });
});

describe('a mail server that is silent', () => {
  it('holds no webhook, while its exchanges have all the slots of the process', async () => {
    const { authority } = service;
    const listener = await startHttpsListener({ authority });
    const { url: webhookUrl } = listener;
    const webhookOrigins = [new URL(webhookUrl).origin];
    merchant = await service.createMerchant({ webhookUrl, webhookOrigins });
    calls = paymentRequestCalls(service, merchant);
    server.behave({ isSilent: true });
    const waiting = Array.from({ length: 10 }, (_, n) => link(to({ email: `a${n}@example.com` })));
    const [first, second] = await Promise.all(waiting);
    await service.advance(1);
    await eventually(() => server.open() === 8, 'eight exchanges');
    for (const each of [first, second]) await calls.cancel(each?.json.id);
    const webhooks = await listener.received(2);
    assert.equal(server.open(), 8, 'the exchanges still have their slots');
    assert.deepEqual(
      webhooks.map(({ body }) => JSON.parse(body).resource.id).sort(),
      [first?.json.id, second?.json.id].sort(),
    );
    server.drop();
    await listener.close();
  });
});

describe('a deployment without a mail server', () => {
  it('refuses EMAIL and SMS, and says that it sends none', async () => {
    const refused = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body: { ...SMALLEST_BODY, deliveryMode: 'SMS', ...to({ mobileNumber: '+15145550142' }) },
    });
    assert.deepEqual(faultsOf(refused), [['deliveryMode', 'INVALID_VALUE']]);
    assert.match(refused.json.errors[0].message, /this deployment sends no SMS/);
  });
});
