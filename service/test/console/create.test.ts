import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { patternOf } from '#console/forms/form-field.ts';
import { MOBILE_NUMBER, NO_CONTROL_CHARACTERS, PRINTABLE_ASCII } from '#lib/text-forms.ts';
import { CONSOLE_FIELDS } from '#payment-requests/model/field-lists.ts';
import { FIELDS as FIELD_TABLE } from '#payment-requests/model/fields.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

type Fields = Readonly<Record<string, string>>;

const FIELDS: Fields = {
  amount: '1 234,50',
  'payer.name': 'Ada Tremblay',
  'payer.email': 'ada@payer.example',
  'payer.preferredLanguage': 'fr',
  displayMessage: 'Deux lampes',
  invoiceNumber: 'INV-7',
  expiryDay: '2026-03-05',
};

/** The text of an element, by its id. */
function textOf(html: string, id: string): string {
  const [, text = ''] = new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(html) ?? [];
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

const faultsIn = (html: string) =>
  [...html.matchAll(/id="([^"]+)-fault">/g)].map(([, name]) => name);

describe('the form of a new payment request', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let administrator: ConsoleClient;
  let base: string;

  before(async () => {
    service = await startTestService({ settings: { MAX_AMOUNT: '5000' } });
    merchant = await service.createMerchant({ name: 'Harbour Books', uniqueTransactionIds: true });
    base = `/console/m/${merchant.merchantId}/payment-requests`;
    administrator = await signIn(service, {
      role: 'administrator',
      merchantId: merchant.merchantId,
    });
  });
  after(() => service.stop());

  async function newKey(): Promise<string> {
    const { html } = await administrator.get(`${base}/new`);
    return /name="form-key" value="([^"]+)"/.exec(html)?.[1] ?? '';
  }

  it('has the lengths of the API’s fields, and the patterns that a browser can apply', async () => {
    const { html } = await administrator.get(`${base}/new`);
    const attributeOf = (name: string, attribute: string) =>
      new RegExp(`<input id="${name}"[^>]* ${attribute}="([^"]*)"`).exec(html)?.[1];
    assert.equal(attributeOf('payer.name', 'maxlength'), '100');
    assert.equal(attributeOf('payer.name', 'pattern'), NO_CONTROL_CHARACTERS);
    assert.equal(attributeOf('merchantTransactionId', 'maxlength'), '64');
    assert.equal(attributeOf('merchantTransactionId', 'pattern'), PRINTABLE_ASCII);
    // The flag v reserves the parentheses of this class.
    const rule = { pattern: MOBILE_NUMBER };
    assert.equal(patternOf({ name: 'mobileNumber', rule }), undefined);
  });

  const send = (fields: Fields) => administrator.post(`${base}/new`, fields);
  const sendNew = async (fields: Fields) => send({ ...fields, 'form-key': await newKey() });

  async function read(location: string | null) {
    const id = /payment-requests\/([0-9a-f-]{36})\/share-link\?done=created$/.exec(location ?? '');
    assert.ok(id, location ?? 'no redirect');
    const path = `/v1/payment-requests/${id[1]}`;
    return (await service.call('GET', path, { headers: merchant.headers })).json;
  }

  it('creates what the call would create, and leads to the page that hands it over', async () => {
    const answer = await sendNew(FIELDS);
    const created = await read(answer.location);
    assert.equal(created.amount, 1234.5);
    assert.deepEqual(created.payer, {
      name: 'Ada Tremblay',
      email: 'ada@payer.example',
      preferredLanguage: 'fr',
    });
    assert.equal(created.expiryDateTime, '2026-03-06T00:00:00.000Z');
    const page = await administrator.get(answer.location ?? '');
    assert.equal(page.status, 200);
    assert.equal(textOf(page.html, 'payment-link'), created.paymentLink);
    assert.match(page.html, /role="img" aria-label="QR code"><svg /);
    assert.equal(
      textOf(page.html, 'email-subject').replaceAll('\u00a0', ' '),
      'Harbour Books vous demande de payer 1 234,50 $',
    );
    const text = textOf(page.html, 'email-text');
    assert.match(text, /^Bonjour Ada Tremblay,\n\n/);
    assert.ok(text.includes('Deux lampes') && text.includes(created.paymentLink), text);
    assert.match(page.html, /href="mailto:ada%40payer.example\?subject/);
  });

  it('writes the person and the sum into the audit log, and nothing of the payer', async () => {
    const rows = await service.database.sql(
      `SELECT actor, details FROM audit_log WHERE action = 'PAYMENT_REQUEST_CREATED'`,
    );
    assert.equal(rows.length, 1);
    const { actor, details } = rows[0] as { actor: string; details: Record<string, string> };
    assert.match(actor, /^console \(Ada, /);
    const { paymentRequestId, ...rest } = details;
    assert.match(paymentRequestId ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, { amount: '1234.50', currency: 'CAD' });
  });

  it('creates once, also when the form arrives twice at the same moment', async () => {
    const fields = { ...FIELDS, 'form-key': await newKey() };
    const answers = await Promise.all([send(fields), send(fields), send(fields)]);
    assert.equal(new Set(answers.map(({ location }) => location)).size, 1);
    await read(answers[0]?.location ?? null);
    assert.equal((await send(fields)).location, answers[0]?.location);
    const rows = await service.database.sql('SELECT id FROM payment_requests');
    assert.equal(rows.length, 2);
    const changed = await send({ ...fields, amount: '7' });
    assert.equal(changed.status, 422);
    assert.match(changed.html, /This form has created a payment request already/);
  });

  it('waits for the first sending of a form that is still at work', async () => {
    const fields = { ...FIELDS, 'form-key': await newKey() };
    const key = `${merchant.merchantId} console:${fields['form-key']}`;
    const second = await service.database.db.transaction(async (tx) => {
      // The key of a call is locked while the call is at work.
      const text = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
      await tx.query({ name: '', text }, [key]);
      const sent = send(fields);
      // Long enough for a first try; a machine that is slower only proves less.
      await Promise.race([sent, wait(300)]);
      return { sent };
    });
    await read((await second.sent).location);
  });

  it('answers 422 with all faults beside their fields, and keeps what was typed', async () => {
    const typed = {
      amount: '1,000',
      'payer.name': '',
      'payer.mobileNumber': '12',
      invoiceNumber: 'x'.repeat(51),
      expiryDay: '2028-01-01',
      dueDate: 'soon',
    };
    const { status, html } = await sendNew(typed);
    assert.equal(status, 422);
    assert.deepEqual(faultsIn(html).sort(), Object.keys(typed).sort());
    assert.match(html, /id="amount-fault">Give a number, such as 10.50\.</);
    assert.match(html, /id="invoiceNumber-fault">Give at most 50 characters\.</);
    assert.match(html, /<a href="#payer\.name">Name<\/a>: Fill in this field\./);
    assert.match(html, /name="payer\.mobileNumber"[^>]*value="12"/);
  });

  it('names the highest amount, and asks for a way to reach the payer', async () => {
    const { html } = await sendNew({ amount: '5000.01', 'payer.name': 'Ada' });
    assert.deepEqual(faultsIn(html), ['amount', 'payer.email']);
    assert.match(html, /id="amount-fault">Give at most \$5,000\.00\.</);
    assert.match(html, /id="payer\.email-fault">Give an e-mail address or a mobile number\.</);
  });

  it('says at its field that a reference is taken', async () => {
    const fields = { ...FIELDS, merchantTransactionId: 'order-1' };
    await read((await sendNew(fields)).location);
    const { status, html } = await sendNew(fields);
    assert.deepEqual([status, faultsIn(html)], [422, ['merchantTransactionId']]);
  });

  it('asks for every field that the console knows, and shows it on page and list', async () => {
    const values = Object.fromEntries(
      CONSOLE_FIELDS.map((name) => [name, String(FIELD_TABLE[name].example)]),
    );
    const form = await administrator.get(`${base}/new`);
    for (const name of CONSOLE_FIELDS) assert.match(form.html, new RegExp(` name="${name}"`));
    const { location } = await sendNew({ ...FIELDS, ...values, expiryDay: '' });
    await read(location);
    const page = await administrator.get((location ?? '').replace('/share-link?done=created', ''));
    const columns = CONSOLE_FIELDS.map((name) => `columns=${name}`).join('&');
    const list = await administrator.get(`${base}?${columns}`);
    for (const name of CONSOLE_FIELDS) {
      assert.ok(page.html.includes(`>${values[name]}<`), `${name} on the page`);
      assert.ok(list.html.includes(`>${values[name]}<`), `${name} in the list`);
    }
    assert.ok(CONSOLE_FIELDS.length >= 5, `${CONSOLE_FIELDS}`);
  });

  it('refuses a suspended merchant', async () => {
    await service.database.sql(`UPDATE merchants SET status = 'SUSPENDED'`);
    const { status, html } = await sendNew(FIELDS);
    await service.database.sql(`UPDATE merchants SET status = 'ACTIVE'`);
    assert.equal(status, 403);
    assert.match(html, /This cannot be done/);
  });

  it('hands nothing over when the payer can no longer pay', async () => {
    const { location } = await sendNew(FIELDS);
    const { paymentLink } = await read(location);
    await service.advance(5 * 86_400);
    const late = await signIn(service, { role: 'viewer', merchantId: merchant.merchantId });
    const { html } = await late.get((location ?? '').split('?')[0] ?? '');
    assert.match(html, /The payer can no longer pay by this link/);
    assert.ok(!html.includes(paymentLink));
  });
});
