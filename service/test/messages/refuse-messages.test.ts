import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readMessageShares } from '#messages/upkeep/upkeep-store.ts';
import { runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { deliveryReport } from '../support/mail/delivery-report.ts';
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
let maildir: string;
let bouncePort: number;

before(async () => {
  server = await startSmtpServer();
  maildir = await mkdtemp(join(tmpdir(), 'payreq-maildir-'));
  await mkdir(join(maildir, 'new'));
  bouncePort = await freePort();
  service = await startTestService({
    environment: 'production',
    settings: {
      MAIL_SMTP_URL: server.url,
      MAIL_FROM: 'pay@pay.example',
      MAIL_BOUNCE_DOMAIN: 'bounces.example',
      MAIL_BOUNCE_DIR: maildir,
      MAIL_BOUNCE_PORT: `${bouncePort}`,
    },
  });
});
after(async () => {
  await service.stop();
  await server.close();
  await rm(maildir, { recursive: true });
});
beforeEach(async () => {
  merchant = await service.createMerchant();
  calls = paymentRequestCalls(service, merchant);
});

const link = (email = 'Ada@Example.com') =>
  calls.create({ deliveryMode: 'EMAIL', payer: { ...SMALLEST_BODY.payer, email } });

const untilLinkIs = (id: string, status: string) => linkBecomes({ service, calls }, id, status);

/** The path of the link by which the recipient refuses. */
async function refusalOf(paymentLink: string): Promise<string> {
  const mail = await eventually(
    () => server.mails.find(({ data }) => data.includes(paymentLink)),
    'the mail',
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

/** The words of a payment request's timeline about its messages. */
async function statusesOf(id: string): Promise<string[]> {
  const { json } = await calls.timeline(id);
  return json.data
    .filter(({ type }: { type: string }) => type === 'MESSAGE_CHANGED')
    .map(({ status }: { status: string }) => status);
}

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
    await eventually(async () => {
      const feed = await service.call('GET', '/v1/events?eventTypes=MESSAGE-UNDELIVERED', {
        headers: merchant.headers,
      });
      assert.deepEqual(
        feed.json.data.map(({ resource }: { resource: { id: string } }) => resource.id),
        [first.id, third.id],
      );
      return true;
    }, 'both events');
    assert.deepEqual(await statusesOf(first.id), ['SENT', 'SUPPRESSED']);
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
    assert.deepEqual(await statusesOf(first.id), ['SENT', 'SUPPRESSED'], 'the timeline keeps it');
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
    const mail = await eventually(async () => {
      await service.advance(1);
      return server.mails.find(
        ({ data }) => data.includes(json.paymentLink) && data.includes('Subject: Reminder'),
      );
    }, 'the reminder');
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
    await eventually(async () => {
      await service.advance(1);
      const [row] = await service.database.sql<{ status: string; reason: string }>(
        `SELECT status, reason FROM messages WHERE payment_request_id = $1 AND kind = 'REMINDER'`,
        [next.id],
      );
      assert.deepEqual({ ...row }, { status: 'SUPPRESSED', reason: 'OPTED_OUT' });
      return true;
    }, 'the held reminder');
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

  /** Waits until the mails of earlier tests are over. */
  const noMoreMails = () =>
    eventually(async () => {
      await service.advance(1);
      const due = await service.database.sql(
        `SELECT FROM messages WHERE status = 'SCHEDULED' AND next_attempt_at <= service_now()`,
      );
      return due.length === 0 && server.open() === 0;
    }, 'the end of all mails');

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

  for (const [command, what, mails] of [
    ['MAIL', 'is not sent', 0],
    ['DATA', 'is sent once, since its recipient is named', 1],
  ] as const) {
    it(`that is on its way at ${command} when the payer is erased ${what}`, async () => {
      await noMoreMails();
      const reached = Promise.withResolvers<void>();
      const erased = Promise.withResolvers<void>();
      server.behave({
        async before(given) {
          if (given !== command) return;
          reached.resolve();
          await erased.promise;
        },
      });
      const { id } = await paid({ delivery: { receipt: true } });
      const { networkReference } = (await calls.read(id)).json.payment;
      await service.advance(1);
      await reached.promise;
      const erase = ['payer', 'erase', '--merchant', merchant.merchantId, '--yes'];
      const ran = await runCli([...erase, '--payment-request', id], service.env);
      assert.equal(ran.exitCode, 0, ran.stderr);
      server.behave({});
      erased.resolve();
      await eventually(() => server.open() === 0, 'the end of the exchange');
      // A lease that nobody ends would be over by then.
      await service.leap(200);
      await service.advance(1);
      const rows = await service.database.sql(
        `SELECT status, reason FROM messages WHERE payment_request_id = '${id}'`,
      );
      assert.deepEqual(rows, [{ status: 'CANCELLED', reason: 'NO_ADDRESS' }]);
      const own = server.mails.filter(({ data }) => data.includes(networkReference));
      assert.equal(own.length, mails);
    });
  }
});

describe('a mail that comes back', () => {
  /** A link that was sent, with the address to which servers return it. */
  async function sentLink(email = 'gone@example.com') {
    const { json } = await link(email);
    await untilLinkIs(json.id, 'SENT');
    const mail = await eventually(
      () => server.mails.find(({ data }) => data.includes(json.paymentLink)),
      'the mail',
    );
    return { id: json.id as string, returnPath: mail.from };
  }

  let files = 0;
  /** Puts a mail into the maildir, and waits until it is gone. */
  async function arrive(mail: string): Promise<void> {
    await writeFile(join(maildir, 'new', `${++files}.mx`), mail);
    await eventually(async () => {
      await service.advance(5);
      return (await readdir(join(maildir, 'new'))).length === 0;
    }, 'the end of the mail');
  }

  const linkOf = async (id: string) => (await calls.read(id)).json.linkMessage;
  const reports = async (outcome: string) => {
    const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
    return Number(new RegExp(`message_reports_total{[^}]*${outcome}[^}]*} (\\d+)`).exec(text)?.[1]);
  };

  it('for ever ends the link, tells the merchant, and stops the next ones until it is lifted', async () => {
    const { id, returnPath } = await sentLink();
    assert.match(returnPath, /^b\+[0-9a-f]{32}@bounces\.example$/);
    await arrive(deliveryReport(returnPath));
    const { status, reason } = await linkOf(id);
    assert.deepEqual([status, reason], ['BOUNCED', 'BOUNCED']);
    const headers = merchant.headers;
    await eventually(async () => {
      const path = '/v1/events?eventTypes=MESSAGE-UNDELIVERED';
      const { json: feed } = await service.call('GET', path, { headers });
      assert.deepEqual(
        feed.data.map(({ resource }: { resource: { id: string } }) => resource.id),
        [id],
      );
      return true;
    }, 'the event');
    const { json: next } = await link('GONE@example.com');
    assert.equal((await untilLinkIs(next.id, 'SUPPRESSED')).linkMessage.reason, 'BOUNCED');
    const lift = ['messages', 'lift', '--merchant', merchant.merchantId];
    const lifted = await runCli([...lift, '--email', 'gone@example.com'], service.env);
    assert.equal(lifted.exitCode, 0, lifted.stderr);
    await sentLink();
  });

  for (const [what, report, status] of [
    ['5.2.2: the mailbox is full', { status: '5.2.2' }, 'BOUNCED'],
    ['delayed', { action: 'delayed', status: '4.4.1' }, 'SENT'],
    ['4.4.7: given up', { status: '4.4.7' }, 'SENT'],
    ['delivered', { action: 'delivered', status: '2.0.0' }, 'SENT'],
  ] as const) {
    it(`as ${what} is ${status}, and the address gets the next one`, async () => {
      const { id, returnPath } = await sentLink('full@example.com');
      await arrive(deliveryReport(returnPath, report));
      assert.equal((await linkOf(id)).status, status);
      const { json } = await service.call('GET', `/v1/payment-requests/${id}/messages`, {
        headers: merchant.headers,
      });
      const { outcome } = json.data[0].attemptLog.at(-1);
      assert.ok(outcome.endsWith(` ${report.status}`), outcome);
      await sentLink('full@example.com');
    });
  }

  it('is believed once, within 14 days, and only under its own address', async () => {
    const unknown = await reports('UNKNOWN');
    const { id, returnPath } = await sentLink();
    const others = returnPath.replace(/[0-9a-f]@/, (end) => (end === '0@' ? '1@' : '0@'));
    for (const to of [others, 'ada@bounces.example', returnPath.replace('bounces', 'other')]) {
      await arrive(deliveryReport(to));
    }
    await arrive('no mail at all');
    await arrive('x'.repeat(300_000));
    assert.equal((await linkOf(id)).status, 'SENT');
    assert.equal(await reports('UNKNOWN'), unknown + 5);
    await arrive(deliveryReport(returnPath));
    await arrive(deliveryReport(returnPath));
    assert.equal(await reports('UNKNOWN'), unknown + 6);
    const { id: old, returnPath: late } = await sentLink('late@example.com');
    await service.leap(14 * 86_400);
    await arrive(deliveryReport(late));
    const [row] = await service.database.sql<{ status: string }>(
      `SELECT status FROM messages WHERE payment_request_id = '${old}'`,
    );
    assert.equal(row?.status, 'SENT');
  });

  describe('over SMTP', () => {
    /** Says lines to the listener, one after each answer. @returns the codes of the answers */
    async function say(...lines: readonly string[]): Promise<string[]> {
      await eventually(async () => {
        await service.advance(10);
        return new Promise<boolean>((resolve) => {
          const probe = connect(bouncePort, '127.0.0.1', () => {
            probe.destroy();
            resolve(true);
          });
          probe.once('error', () => resolve(false));
        });
      }, 'the listener');
      const socket = connect(bouncePort, '127.0.0.1').setEncoding('utf8');
      const codes: string[] = [];
      const left = [...lines];
      for await (const text of socket) {
        if (/^\d{3}-/m.test(text) && !/^\d{3} /m.test(text)) continue;
        codes.push(text.slice(0, 3));
        const next = left.shift();
        if (next === undefined) break;
        socket.write(`${next}\r\n`);
      }
      socket.destroy();
      return codes;
    }

    it('is taken from the null sender, for one mail that left', async () => {
      const { id, returnPath } = await sentLink('wire@example.com');
      const [hello, from, to] = ['EHLO mx.example', 'MAIL FROM:<>', `RCPT TO:<${returnPath}>`];
      const ada = 'RCPT TO:<ada@bounces.example>';
      assert.deepEqual(await say(hello, 'MAIL FROM:<eve@example.com>'), ['220', '250', '550']);
      assert.deepEqual(await say(hello, from, ada, to, to), '220 250 250 550 250 452'.split(' '));
      const sent = [hello, from, to, 'DATA', `${deliveryReport(returnPath)}\r\n.`];
      assert.deepEqual(await say(...sent), '220 250 250 250 354 250'.split(' '));
      assert.equal((await linkOf(id)).status, 'BOUNCED');
      assert.deepEqual(await say(hello, from, to), ['220', '250', '250', '550']);
    });

    it('is taken later while the exchange that sent the mail is not recorded', async () => {
      const { id, returnPath } = await sentLink('early@example.com');
      await service.database.sql(
        `UPDATE messages SET status = 'SCHEDULED', sent_at = NULL, lease_token = gen_random_uuid(),
           leased_until = service_now() + interval '1 hour', next_attempt_at = service_now()
         WHERE payment_request_id = $1`,
        [id],
      );
      const [hello, from, to] = ['EHLO mx.example', 'MAIL FROM:<>', `RCPT TO:<${returnPath}>`];
      const sent = [hello, from, to, 'DATA', `${deliveryReport(returnPath)}\r\n.`];
      assert.deepEqual(await say(...sent), '220 250 250 250 354 451'.split(' '));
    });

    it('is refused where it is too long', async () => {
      const { returnPath } = await sentLink('long@example.com');
      const [hello, from, to] = ['EHLO mx.example', 'MAIL FROM:<>', `RCPT TO:<${returnPath}>`];
      const long = `${'x'.repeat(900)}\r\n`.repeat(300);
      assert.deepEqual(await say(hello, from, to, 'DATA', `${long}.`), [
        ...'220 250 250 250 354 552'.split(' '),
      ]);
    });
  });

  it('too often, or is refused too often, is an alert about the merchant', async () => {
    const shares = async () => {
      const { bounced = 0, refused = 0 } = (await readMessageShares(service.database.db)) ?? {};
      return [bounced, refused];
    };
    // The shares are those of the worst merchant: each other one is forgotten.
    await service.database.sql('DELETE FROM message_suppressions');
    await service.database.sql(`UPDATE messages SET attempt_log = '[]'`);
    for (let n = 0; n < 4; n += 1) {
      const { returnPath } = await sentLink(`back${n}@example.com`);
      await arrive(deliveryReport(returnPath));
    }
    assert.deepEqual(await shares(), [0, 0], 'fewer than five say nothing');
    const { returnPath } = await sentLink('back@example.com');
    await arrive(deliveryReport(returnPath));
    assert.deepEqual(await shares(), [1, 0]);
    for (let n = 0; n < 5; n += 1) {
      const email = `angry${n}@example.com`;
      const { json } = await link(email);
      await untilLinkIs(json.id, 'SENT');
      await page('POST', await refusalOf(json.paymentLink), '');
    }
    assert.deepEqual(await shares(), [0.5, 0.5]);
    await service.leap(86_401);
    assert.deepEqual(await shares(), [0, 0]);
  });
});
