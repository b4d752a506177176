import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Mailer, MailerLimits } from '#lib/mail/mailer.ts';
import { noticeMerchant } from '#merchants/notices/notice-merchant.ts';
import { sendNextNotice } from '#merchants/notices/send-notices.ts';
import { createSmtpMailer } from '#messages/mail/smtp-mailer.ts';
import { enqueueWebhookEvents } from '#webhooks/events/outbox.ts';
import { readSmtpUrl } from '../../../src/settings/read-smtp-url.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { type SmtpServer, startSmtpServer } from '../../support/mail/smtp-server.ts';

const START = new Date('2026-03-01T12:00:00.000Z');
const IBAN = 'DE89370400440532013000';
const PAYMENT_REQUEST = '018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f';

let database: TestDatabase;
let server: SmtpServer;
let notices: string[];
let lines: { readonly fields: Readonly<Record<string, unknown>>; readonly text: string }[];
let nowMs: number;

before(async () => {
  database = await createTestDatabase('production', START);
});
after(() => database?.drop());
beforeEach(async (t) => {
  server = await startSmtpServer();
  (t as { after?: (end: () => Promise<void>) => void }).after?.(() => server.close());
  await database.sql('DELETE FROM merchant_notices');
  await database.sql('DELETE FROM merchants');
  await database.sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
       signing_secret_encrypted, notice_email)
     VALUES ('mer_1', 'Hafen Bücher', 'l', 'x', 'x', 'desk@shop.example')`,
  );
  notices = [];
  lines = [];
  nowMs = START.getTime();
  await database.setNow(START);
});

const LONG_REFUSAL = `${'451-wait\r\n'.repeat(499)}451 wait`;

/** For servers that never answer. On a busy machine a good server is slower than this. */
const IMPATIENT = { greetingTimeoutMs: 300, socketTimeoutMs: 300, wholeTimeoutMs: 600 };

function mailer(limits: Partial<MailerLimits> = {}): Mailer {
  const to = readSmtpUrl(server.url);
  assert.ok(to);
  return createSmtpMailer({ server: to, from: 'notices@pay.example', limits });
}

function run(overrides: { readonly mailer?: Mailer | null; readonly isSandbox?: boolean } = {}) {
  const say = (fields: object, text: string) => void lines.push({ fields: { ...fields }, text });
  return sendNextNotice(
    {
      db: database.db,
      log: { info: say, warn: say } as never,
      metrics: { operatorNotice: (kind) => void notices.push(kind) },
      mailer: mailer(),
      isSandbox: false,
      ...overrides,
    },
    new AbortController().signal,
  );
}

async function advance(seconds: number): Promise<void> {
  nowMs += seconds * 1000;
  await database.setNow(new Date(nowMs));
}

const REFUND_FAILED = {
  merchantId: 'mer_1',
  kind: 'REFUND_FAILED',
  paymentRequestId: PAYMENT_REQUEST,
  refundId: '018f2d10-6b7c-7e8f-9a0b-1c2d3e4f5a6b',
  amountCents: 450,
  currency: 'EUR',
  statusReasonCode: 'ACCOUNT_RESTRICTED',
} as const;

const RETURNED = {
  merchantId: 'mer_1',
  kind: 'PAYMENT_RETURNED',
  paymentRequestId: PAYMENT_REQUEST,
  amountCents: 450,
  currency: 'EUR',
} as const;
const CHANGED = { merchantId: 'mer_1', kind: 'ACCOUNT_CHANGED', previous: null } as const;

const write = (notice: Parameters<typeof noticeMerchant>[1] = REFUND_FAILED) =>
  database.db.transaction((tx) => noticeMerchant(tx, notice));

async function stored() {
  const [row] = await database.sql<{ status: string; attempts: number; next_attempt_at: Date }>(
    'SELECT status, attempts, next_attempt_at FROM merchant_notices',
  );
  assert.ok(row);
  return row;
}

describe('a notice to a merchant', () => {
  it('is one e-mail of plain text, and no second one', async () => {
    await write();
    assert.equal(await run(), true);
    assert.equal(await run(), false);
    assert.equal(server.mails.length, 1);
    const [mail] = server.mails;
    assert.equal(mail?.from, 'notices@pay.example');
    assert.deepEqual(mail?.to, ['desk@shop.example']);
    assert.match(mail?.data ?? '', /^Subject: A refund failed: payment request\s+018f2c7e-95a4/m);
    assert.match(mail?.data ?? '', /^Auto-Submitted: auto-generated/m);
    assert.match(mail?.data ?? '', /^Amount: 4\.50 EUR\r$/m);
    assert.match(mail?.data ?? '', /^Reason: ACCOUNT_RESTRICTED\r$/m);
    assert.match(mail?.data ?? '', /^Merchant: Hafen Bücher \(mer_1\)\r$/m);
    assert.equal((await stored()).status, 'SENT');
    assert.deepEqual(notices, []);
  });

  it('of a changed account shows the last four characters of each account', async () => {
    const previous = 'CH9300762011623852957';
    await write({ merchantId: 'mer_1', kind: 'ACCOUNT_CHANGED', number: IBAN, previous });
    await run();
    const text = server.mails[0]?.data ?? '';
    assert.match(text, /Before: an account ending in 2957/);
    assert.match(text, /Now: an account ending in 3000/);
    const rows = JSON.stringify(await database.sql('SELECT * FROM merchant_notices'));
    for (const whole of [IBAN, previous]) {
      assert.ok(!text.includes(whole.slice(4, 12)) && !rows.includes(whole.slice(4, 12)));
    }
  });

  it('is written with the event of returned money or of a failed refund, and of no other', async () => {
    const event = {
      merchantId: 'mer_1',
      paymentRequestId: PAYMENT_REQUEST,
      message: 'An event.',
      webhookUrl: null,
      createdAt: START,
    };
    const payer = { name: 'Ada Lovelace', email: 'ada@example.com' };
    const resource = JSON.stringify({
      id: PAYMENT_REQUEST,
      currency: 'EUR',
      payer,
      refundSummary: { amountReturned: 12.3 },
    });
    const refund = JSON.stringify({
      id: REFUND_FAILED.refundId,
      amount: 0.29,
      currency: 'EUR',
      message: 'For Ada Lovelace',
      statusReason: { code: 'REFUND_RETURNED' },
    });
    await database.db.transaction((tx) =>
      enqueueWebhookEvents(tx, [
        { ...event, sequence: 1, eventType: 'PAYMENT-COMPLETED', resource },
        { ...event, sequence: 2, eventType: 'PAYMENT-RETURNED', resource },
        { ...event, sequence: 3, eventType: 'REFUND-COMPLETED', resource: refund },
        { ...event, sequence: 4, eventType: 'REFUND-FAILED', resource: refund },
        { ...event, sequence: 5, eventType: 'PAYMENT-FAILED', resource },
      ]),
    );
    while (await run());
    const texts = server.mails.map(({ data }) => data);
    assert.equal(texts.length, 2);
    assert.ok(texts.some((text) => text.includes('Returned so far: 12.30 EUR')));
    assert.ok(texts.some((text) => /Amount: 0\.29 EUR\r\nReason: REFUND_RETURNED/.test(text)));
    for (const text of texts) assert.ok(!/Lovelace|ada@example/.test(text), text);
    await database.sql('DELETE FROM webhook_events');
  });

  it('is not written when its transaction is rolled back', async () => {
    const over = database.db.transaction(async (tx) => {
      await noticeMerchant(tx, REFUND_FAILED);
      throw new Error('undone');
    });
    await assert.rejects(over, /undone/);
    assert.equal(await run(), false);
  });

  const silence = { reason: /^(ETIMEDOUT|DEADLINE)$/, limits: IMPATIENT };
  const flood = { reason: /./, limits: IMPATIENT };
  const refusal = (code: number) => ({ reason: new RegExp(`^EENVELOPE ${code}$`), limits: {} });
  for (const [what, behaviour, { reason, limits }] of [
    ['says nothing', { isSilent: true }, silence],
    [
      'sends a line now and then for ever',
      { drips: true },
      { reason: /^DEADLINE$/, limits: { wholeTimeoutMs: 600 } },
    ],
    ['falls silent after the mail', { isSilentAfterData: true }, silence],
    ['falls silent at EHLO', { isSilentAt: 'EHLO' }, silence],
    ['falls silent at MAIL', { isSilentAt: 'MAIL' }, silence],
    ['falls silent at RCPT', { isSilentAt: 'RCPT' }, silence],
    ['falls silent at DATA', { isSilentAt: 'DATA' }, silence],
    ['answers lines without an end', { floods: 'LINES' }, flood],
    ['answers one line without an end', { floods: 'ONE_LINE' }, flood],
    ['answers in 500 lines and then refuses', { answers: { MAIL: LONG_REFUSAL } }, refusal(451)],
    ['puts senders off', { answers: { MAIL: '451 try later' } }, refusal(451)],
    ['refuses the mail for now', { answers: { DATA: '421 busy' } }, refusal(421)],
  ] as const) {
    it(`waits and is tried again where the server ${what}`, async () => {
      server.behave(behaviour);
      await write();
      assert.equal(await run({ mailer: mailer(limits) }), true);
      assert.equal((await stored()).status, 'PENDING');
      assert.equal(lines[0]?.text, 'merchant notice not sent');
      assert.match(String(lines[0]?.fields.reason), reason);
      assert.equal(await run(), false, 'not before a minute');
      await untilClosed();
      server.behave({});
      const before = server.mails.length;
      await advance(60);
      assert.equal(await run(), true);
      assert.equal(server.mails.length, before + 1);
      assert.deepEqual([(await stored()).status, (await stored()).attempts], ['SENT', 2]);
    });
  }

  it('ends with an operator’s alert after nine attempts over some three days', async () => {
    server.behave({ answers: { EHLO: '500 no', HELO: '500 no' } });
    await write();
    const waits: number[] = [];
    while (await run()) {
      const { status, next_attempt_at: next } = await stored();
      if (status !== 'PENDING') break;
      waits.push((next.getTime() - nowMs) / 1000);
      await advance(waits.at(-1) ?? 0);
    }
    assert.deepEqual(waits, [60, 300, 1800, 7200, 21600, 43200, 86400, 86400]);
    assert.deepEqual([(await stored()).status, (await stored()).attempts], ['OPERATOR', 9]);
    assert.deepEqual(notices, ['MERCHANT_NOT_NOTIFIED']);
    assert.equal(lines.at(-1)?.fields.merchantId, 'mer_1');
  });

  it('ends at once where the server refuses the recipient for ever, and logs no address', async () => {
    server.behave({ answers: { RCPT: '550 desk@shop.example is unknown' } });
    await write();
    await run();
    assert.equal((await stored()).status, 'OPERATOR');
    assert.deepEqual(notices, ['MERCHANT_NOT_NOTIFIED']);
    assert.ok(!JSON.stringify(lines).includes('shop.example'));
  });

  it('alerts the operator by the merchant’s name without an address or a mail server', async () => {
    await write();
    await run({ mailer: null });
    assert.equal(lines.at(-1)?.text, 'merchant not notified');
    assert.deepEqual(
      [lines.at(-1)?.fields.merchantId, lines.at(-1)?.fields.reason],
      ['mer_1', 'NO_MAIL_SERVER'],
    );
    await database.sql('UPDATE merchants SET notice_email = NULL');
    await write();
    await run();
    assert.equal(lines.at(-1)?.fields.reason, 'NO_ADDRESS');
    assert.deepEqual(notices, ['MERCHANT_NOT_NOTIFIED', 'MERCHANT_NOT_NOTIFIED']);
    assert.equal(server.connections(), 0);
  });

  it('alerts nobody in a sandbox, in which no money moves', async () => {
    await write();
    await run({ mailer: null, isSandbox: true });
    assert.deepEqual(notices, []);
    assert.equal((await stored()).status, 'OPERATOR');
  });

  it('goes out again when a process ends before its record, and never twice at once', async () => {
    await write();
    const held = Promise.withResolvers<'SENT'>();
    const stopped: Mailer = { send: () => held.promise };
    const first = run({ mailer: stopped });
    await untilLeased();
    assert.equal(await run(), false, 'leased');
    await advance(131);
    assert.equal(await run(), true);
    assert.equal(server.mails.length, 1);
    held.resolve('SENT');
    await first;
    assert.equal((await stored()).status, 'SENT');
  });

  it('is claimed once by two processes that look at one moment', async () => {
    await write();
    const found = await Promise.all([run(), run(), run()]);
    assert.deepEqual(found.sort(), [false, false, true]);
    assert.equal(server.mails.length, 1);
  });

  it('comes again with its Message-ID where the server took it and its answer was lost', async () => {
    server.behave({ breaksAfterData: true });
    await write();
    await run();
    assert.equal((await stored()).status, 'PENDING');
    server.behave({});
    await advance(60);
    await run();
    const ids = server.mails.map(({ data }) => /^Message-ID: (.*)\r$/im.exec(data)?.[1]);
    assert.match(ids[0] ?? '', /^<[0-9a-f-]{36}@pay\.example>$/);
    assert.deepEqual(ids, [ids[0], ids[0]]);
    assert.equal((await stored()).status, 'SENT');
  });

  it('keeps a merchant’s name on its line, whatever characters the name has', async () => {
    const name = 'Shop\r\nBcc: thief@evil.example\r\n\r\n.\r\nQUIT\u2028Now: \u202eDE00';
    await database.sql('UPDATE merchants SET name = $1', [name]);
    for (const notice of [REFUND_FAILED, RETURNED, { ...CHANGED, number: IBAN }]) {
      await write(notice);
      await run();
    }
    assert.equal(server.mails.length, 3);
    for (const { to, data } of server.mails) {
      assert.deepEqual(to, ['desk@shop.example']);
      assert.doesNotMatch(data, /^Bcc|^QUIT|^Now: (?!an account)|\u2028|\u202e/m);
      assert.match(data, /^Merchant: Shop Bcc: thief@evil\.example \. QUIT Now: /m);
    }
  });

  it('stays due when a process is done after another one took over and failed', async () => {
    await write();
    const held = Promise.withResolvers<'SENT'>();
    const first = run({ mailer: { send: () => held.promise } });
    await untilLeased();
    await advance(131);
    server.behave({ answers: { MAIL: '451 try later' } });
    await run();
    held.resolve('SENT');
    await first;
    assert.deepEqual([(await stored()).status, (await stored()).attempts], ['PENDING', 2]);
  });

  it('goes to the address as it is when it is sent', async () => {
    await write();
    await database.sql(`UPDATE merchants SET notice_email = 'new@shop.example'`);
    await run();
    assert.deepEqual(server.mails[0]?.to, ['new@shop.example']);
  });
});

/** The service leaves no connection to a server that it gave up. */
async function untilClosed(): Promise<void> {
  await eventually(() => server.open() === 0, 'the end of the connection');
}

async function untilLeased(): Promise<void> {
  for (;;) {
    const [row] = await database.sql<{ lease_token: string | null }>(
      'SELECT lease_token FROM merchant_notices',
    );
    if (row?.lease_token) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
