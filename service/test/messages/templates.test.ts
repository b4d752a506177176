import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LANGUAGES } from '#http/negotiation/choose-language.ts';
import { KINDS } from '#messages/model/kinds.ts';
import { type Ran, runCli } from '../commands/run-cli.ts';
import { eventually } from '../support/eventually.ts';
import {
  faultsOf,
  type PaymentRequestCalls,
  paymentRequestCalls,
  SMALLEST_BODY,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;
let calls: PaymentRequestCalls;
let folder: string;

before(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'templates-'));
});
beforeEach(async () => {
  merchant = await service.createMerchant({ returnOrigins: [OWN] });
  calls = paymentRequestCalls(service, merchant);
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const OWN = 'https://shop.example';
/** A process keeps a merchant that calls for 5 s. */
const PAST_CACHE_SECONDS = 6;
const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number) =>
  new Date(service.clock.now().getTime() + hours * HOUR_MS).toISOString();

function setMessages(...options: string[]): Promise<Ran> {
  const args = ['merchant', 'set-messages', '--merchant', merchant.merchantId, ...options];
  return runCli([...args, '--json'], service.env);
}

async function set(...options: string[]): Promise<void> {
  const ran = await setMessages(...options);
  assert.equal(ran.exitCode, 0, ran.stderr);
}

async function messagesOf(id: string) {
  const { headers } = merchant;
  return (await service.call('GET', `/v1/payment-requests/${id}/messages`, { headers })).json.data;
}

const kindsOf = async (id: string) =>
  (await messagesOf(id)).map(({ kind }: { kind: string }) => kind);

async function untilSent(id: string, kind: string) {
  return eventually(async () => {
    await service.advance(1);
    const all = await messagesOf(id);
    return all.find((each: Record<string, string>) => each.kind === kind && each.status === 'SENT');
  }, `a ${kind}`);
}

describe('a merchant’s message settings', () => {
  it('begin as nothing that no call asks for', async () => {
    const ran = await setMessages();
    assert.deepEqual(ran.json(), {
      merchantId: merchant.merchantId,
      reminders: [],
      receipt: false,
      quietHours: true,
      smsSender: null,
      templateId: null,
    });
  });

  it('hold for later payment requests where delivery leaves them out', async () => {
    const expiryDateTime = hoursFromNow(60);
    const body = { deliveryMode: 'EMAIL', expiryDateTime };
    const earlier = await calls.create(body);
    await set('--reminders', '48,24', '--receipt', 'yes', '--quiet-hours', 'no');
    await service.advance(PAST_CACHE_SECONDS);
    const later = await calls.create(body);
    assert.equal('delivery' in later.json, false, 'the answer echoes only what was sent');
    assert.deepEqual(await kindsOf(later.json.id), ['REMINDER', 'REMINDER', 'REQUEST']);
    assert.deepEqual(await kindsOf(earlier.json.id), ['REQUEST']);
    const own = await calls.create({ ...body, delivery: { reminders: [] } });
    assert.deepEqual(await kindsOf(own.json.id), ['REQUEST']);
    const moved = await calls.update(earlier.json.id, { expiryDateTime: hoursFromNow(70) });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual(await kindsOf(earlier.json.id), ['REQUEST'], 'a plan stays');
    assert.deepEqual(moved.json.delivery, undefined);
  });

  it('send a receipt without a delivery mode, and a receipt of a refund with it', async () => {
    await set('--receipt', 'yes');
    await service.advance(PAST_CACHE_SECONDS);
    const payer = { name: 'depositSubmit:0', email: 'ada@example.com' };
    const created = await calls.create({ payer });
    await untilSent(created.json.id, 'RECEIPT');
    const quiet = await calls.create({
      payer,
      deliveryMode: 'EMAIL',
      delivery: { receipt: false },
    });
    await eventually(async () => {
      await service.advance(1);
      return (await calls.read(quiet.json.id)).json.status === 'PAID';
    }, 'the payment');
    for (const { json } of [created, quiet]) {
      const refund = await service.call('POST', `/v1/payment-requests/${json.id}/refunds`, {
        headers: merchant.headers,
        body: { amount: 2, merchantRefundId: `refund-${json.id}` },
      });
      assert.equal(refund.status, 201, refund.text);
    }
    await untilSent(created.json.id, 'REFUND_RECEIPT');
    assert.deepEqual(await kindsOf(quiet.json.id), ['REQUEST']);
  });

  for (const [field, options] of [
    ['reminders', ['--reminders', '0']],
    ['reminders', ['--reminders', '721']],
    ['reminders', ['--reminders', '24,24']],
    ['reminders', ['--reminders', '1,2,3,4']],
    ['reminders', ['--reminders', '1.5']],
    ['reminders', ['--reminders', 'soon']],
    ['sms-sender', ['--sms-sender', 'Harbour Shop']],
    ['sms-sender', ['--sms-sender', 'HarbourBooks']],
    ['default-template', ['--default-template', 'autumn']],
    ['remove', ['--remove', 'receipt']],
  ] as const) {
    it(`refuse ${options.join(' ')}`, async () => {
      const { exitCode, stderr } = await setMessages(...options);
      assert.equal(exitCode, 1);
      assert.ok(stderr.includes(`--${field}: `), stderr);
    });
  }

  it('are audited with what they were', async () => {
    await set('--sms-sender', 'HarbourBook');
    await set('--sms-sender', 'HarbourBook');
    const rows = await service.database.sql<{ details: Record<string, unknown> }>(
      `SELECT details FROM audit_log
       WHERE action = 'MERCHANT_MESSAGES_CHANGED' AND merchant_id = $1`,
      [merchant.merchantId],
    );
    assert.deepEqual(
      rows.map(({ details: { smsSender } }) => smsSender),
      ['HarbourBook'],
    );
  });
});

/** Writes a template by the command line. */
async function setTemplate(template: unknown): Promise<Ran> {
  const file = join(folder, `${randomUUID()}.json`);
  await writeFile(file, typeof template === 'string' ? template : JSON.stringify(template));
  return runTemplate('set', '--file', file);
}

function runTemplate(command: string, ...options: string[]): Promise<Ran> {
  const args = ['template', command, '--merchant', merchant.merchantId, ...options, '--json'];
  return runCli(args, service.env);
}

const inEnglish = (texts: Record<string, unknown>) => ({ id: 'autumn', texts: { en: texts } });
const subjectOf = (subject: unknown) => inEnglish({ REQUEST: { subject } });

const UNKNOWN_TEMPLATE = [['emailTemplate.id', 'INVALID_VALUE']];

async function refused(members: object) {
  const { headers } = merchant;
  const body = { ...SMALLEST_BODY, ...members };
  return faultsOf(await service.call('POST', '/v1/payment-requests', { headers, body }));
}

async function saved(template: unknown): Promise<void> {
  const ran = await setTemplate(template);
  assert.equal(ran.exitCode, 0, ran.stderr);
}

describe('a template', () => {
  it('gives a message its texts, and leaves the fixed lines', async () => {
    await saved({
      id: 'autumn',
      replyTo: 'orders@shop.example',
      footer: { en: 'Open from 9:30 to 17 (e.g. on Mondays), see https://shop.example/hours' },
      texts: {
        en: {
          REQUEST: {
            subject: 'Your order {invoiceNumber} at {merchant}',
            introduction: 'Please pay {amount} until {expiry}.',
          },
        },
        fr: { REQUEST: { subject: 'Votre commande {invoiceNumber}' } },
      },
    });
    const named = { deliveryMode: 'EMAIL', emailTemplate: { id: 'autumn' }, invoiceNumber: 'A.1' };
    const { json: created } = await calls.create(named);
    assert.deepEqual(created.emailTemplate, { id: 'autumn' });
    const sent = await untilSent(created.id, 'REQUEST');
    assert.equal(sent.preview.subject, 'Your order A.\u20601 at Demo Shop');
    assert.match(sent.preview.text, /Please pay \$12\.34 until /);
    assert.match(
      sent.preview.text,
      /Open from 9:\u206030 to 17 \(e\.\u2060g\. on Mondays\), see https:\/\/shop\.example\/hours/,
    );
    assert.ok(sent.preview.text.includes(created.paymentLink), 'the link is no part of a template');
    assert.match(sent.preview.text, /I did not order this/);
    const [row] = await service.database.sql<Record<string, unknown>>(
      `SELECT template_id, template_version, language, octet_length(content_hash) AS bytes
       FROM messages WHERE id = $1`,
      [sent.id],
    );
    assert.deepEqual(row, {
      template_id: 'autumn',
      template_version: 1,
      language: 'en',
      bytes: 32,
    });
    const payer = { name: 'Ada', email: 'ada@example.com', preferredLanguage: 'fr' };
    const { json: french } = await calls.create({ ...named, payer });
    const inFrench = await untilSent(french.id, 'REQUEST');
    assert.equal(inFrench.preview.subject, 'Votre commande A.\u20601');
    assert.doesNotMatch(inFrench.preview.text, /Please pay/);
  });

  it('is named by emailTemplate.id with EMAIL alone', async () => {
    const emailTemplate = { id: 'autumn' };
    assert.deepEqual(await refused({ deliveryMode: 'EMAIL', emailTemplate }), UNKNOWN_TEMPLATE);
    const payer = { name: 'Ada', mobileNumber: '+14165550100' };
    for (const body of [{}, { deliveryMode: 'SMS', payer }]) {
      const { status, json } = await calls.create({ ...body, emailTemplate });
      assert.deepEqual([status, json.emailTemplate], [201, emailTemplate]);
    }
  });

  it('is the default where a call names none, and is then not archived', async () => {
    await saved(subjectOf('By default'));
    await set('--default-template', 'autumn');
    await service.advance(PAST_CACHE_SECONDS);
    const { json: created } = await calls.create({ deliveryMode: 'EMAIL' });
    assert.equal('emailTemplate' in created, false);
    assert.equal((await untilSent(created.id, 'REQUEST')).preview.subject, 'By default');
    const refused = await runTemplate('archive', '--template', 'autumn');
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /id: It is the default template/);
  });

  it('has a new version with each change, and is archived but not deleted', async () => {
    await saved(subjectOf('One'));
    const again = await setTemplate(subjectOf('One'));
    assert.deepEqual([again.json().version, again.json().isNew], [1, false]);
    const { json: created } = await calls.create({
      deliveryMode: 'EMAIL',
      emailTemplate: { id: 'autumn' },
      delivery: { sendDateTime: hoursFromNow(0.1) },
      expiryDateTime: hoursFromNow(24),
    });
    assert.equal((await setTemplate(subjectOf('Two'))).json().version, 2);
    assert.equal((await runTemplate('archive', '--template', 'autumn')).exitCode, 0);
    const named = { deliveryMode: 'EMAIL', emailTemplate: { id: 'autumn' } };
    assert.deepEqual(await refused(named), UNKNOWN_TEMPLATE);
    await service.advance(370);
    assert.equal((await untilSent(created.id, 'REQUEST')).preview.subject, 'Two');
    const { templates } = (await runTemplate('list')).json();
    assert.deepEqual([templates.length, templates[0].version], [1, 2]);
    assert.notEqual(templates[0].archivedDateTime, null);
    assert.deepEqual((await runTemplate('show', '--template', 'autumn')).json(), {
      id: 'autumn',
      replyTo: null,
      footer: {},
      texts: { en: { REQUEST: { subject: 'Two' } } },
    });
    await saved(subjectOf('Two'));
    assert.equal((await calls.create(named)).status, 201, 'a new version counts again');
    const rows = await service.database.sql<{ action: string; details: object }>(
      `SELECT action, details FROM audit_log
       WHERE action LIKE 'MESSAGE_TEMPLATE_%' AND merchant_id = $1 ORDER BY position`,
      [merchant.merchantId],
    );
    assert.deepEqual(
      rows.map(({ action }) => action.slice('MESSAGE_TEMPLATE_'.length)),
      ['CHANGED', 'CHANGED', 'ARCHIVED', 'CHANGED'],
    );
    assert.deepEqual(rows.at(-1)?.details, { templateId: 'autumn', version: 3 });
  });

  it('is previewed in each language and for each kind, stored or not', async () => {
    const emoji = '😀'.repeat(250);
    await saved(subjectOf(emoji));
    for (const language of LANGUAGES) {
      for (const kind of KINDS) {
        const ran = await runTemplate('preview', '--kind', kind, '--language', language);
        assert.equal(ran.exitCode, 0, ran.stderr);
        assert.ok(ran.json().subject.length > 5);
        assert.doesNotMatch(ran.json().html, /\{\w+\}/);
      }
    }
    const stored = await runTemplate('preview', '--template', 'autumn');
    assert.equal(stored.json().subject, emoji);
    const other = await runTemplate('preview', '--template', 'winter');
    assert.match(other.stderr, /id: The merchant has no such template/);
  });

  const bad: readonly (readonly [what: string, template: unknown, field: string])[] = [
    ['no object', '[]', 'template'],
    ['no id', { texts: {} }, 'id'],
    ['an id with a path', { ...subjectOf('x'), id: '../autumn' }, 'id'],
    ['another member', { ...subjectOf('x'), logo: 'x' }, 'logo'],
    ['an unknown language', { id: 'a', texts: { xx: {} } }, 'texts.xx'],
    ['an unknown kind', inEnglish({ INVOICE: {} }), 'texts.en.INVOICE'],
    ['a fixed line', inEnglish({ REQUEST: { button: 'Pay' } }), 'texts.en.REQUEST.button'],
    ['a list of texts', inEnglish({ REQUEST: ['x'] }), 'texts.en.REQUEST'],
    ['a number', subjectOf(1), 'texts.en.REQUEST.subject'],
    ['an empty text', subjectOf(' '), 'texts.en.REQUEST.subject'],
    ['501 characters', subjectOf('x'.repeat(501)), 'texts.en.REQUEST.subject'],
    ['250 emoji of families', subjectOf('👨‍👩‍👧'.repeat(250)), 'texts.en.REQUEST.subject'],
    ['a joiner without emoji', subjectOf('pay\u200dpal'), 'texts.en.REQUEST.subject'],
    ['a header', subjectOf('Hello\r\nBcc: eve@example.com'), 'texts.en.REQUEST.subject'],
    ['a line break of Unicode', subjectOf('Hello\u2028there'), 'texts.en.REQUEST.subject'],
    ['a mark of direction', subjectOf('\u202egro.live'), 'texts.en.REQUEST.subject'],
    ['half of a character', '{"id":"a","footer":{"en":"\\ud83d"}}', 'footer.en'],
    ['an element', { id: 'a', footer: { en: '<b>Sale</b>' } }, 'footer.en'],
    ['an entity', { id: 'a', footer: { en: 'a&lt;b' } }, 'footer.en'],
    ['an unknown placeholder', subjectOf('{password}'), 'texts.en.REQUEST.subject'],
    ['half of a placeholder', subjectOf('{amount'), 'texts.en.REQUEST.subject'],
    ['an expression', subjectOf('{amount, number}'), 'texts.en.REQUEST.subject'],
    ['a foreign link', { id: 'a', footer: { en: 'see https://evil.example' } }, 'footer.en'],
    ['a link of a placeholder', { id: 'a', footer: { en: `${OWN}/{amount}` } }, 'footer.en'],
    [
      'a user in a link',
      { id: 'a', footer: { en: 'https://shop.example@evil.example' } },
      'footer.en',
    ],
    ['an origin without TLS', { id: 'a', footer: { en: 'http://shop.example' } }, 'footer.en'],
    ['a bare domain', { id: 'a', footer: { en: 'shop.example' } }, 'footer.en'],
    ['a domain of look-alikes', { id: 'a', footer: { en: 'https://shоp.example' } }, 'footer.en'],
    ['a full-width dot', { id: 'a', footer: { en: 'evil．example' } }, 'footer.en'],
    ['an address of a mail', { id: 'a', footer: { en: 'help@evil.example' } }, 'footer.en'],
    ['a script', { id: 'a', footer: { en: 'javascript:alert()' } }, 'footer.en'],
    ['another scheme', { id: 'a', footer: { en: 'tel:+14165550100' } }, 'footer.en'],
    ['two addresses', { id: 'a', replyTo: 'a@b.example, c@d.example' }, 'replyTo'],
    ['a header in replyTo', { id: 'a', replyTo: 'a@b.example\nBcc: c@d.example' }, 'replyTo'],
    ['a name in replyTo', { id: 'a', replyTo: 'Shop <a@b.example>' }, 'replyTo'],
  ];
  for (const [what, template, field] of bad) {
    it(`refuses ${what}`, async () => {
      const { exitCode, stderr } = await setTemplate(template);
      assert.equal(exitCode, 1);
      assert.ok(stderr.includes(`${field}: `), stderr);
      assert.equal((await runTemplate('list')).json().templates.length, 0);
    });
  }

  it('names each fault of a file', async () => {
    const { stderr } = await setTemplate({ id: '', footer: { xx: 'x', en: '<' } });
    for (const field of ['id', 'footer.xx', 'footer.en'])
      assert.match(stderr, new RegExp(`${field}: `));
    const noJson = await setTemplate('{');
    assert.match(noJson.stderr, /--file: .* is no JSON/);
  });
});
