import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  findTransferRequestOf,
  markTransfersAnnounced,
  notifyOfTransferChanges,
} from '#e-transfer/bank-transfer/request-store.ts';
import {
  markTransferPaid,
  setTransferReceived,
} from '../../support/bank-transfer/change-transfer.ts';
import { decodeQrPng } from '../../support/bank-transfer/decode-qr.ts';
import { IBANS } from '../../support/bank-transfer/transfer-network.ts';
import { startTransferProduction } from '../../support/bank-transfer/transfer-production.ts';
import { assertPayerPage } from '../../support/browser/payer-page.ts';
import { eventually } from '../../support/eventually.ts';
import { createPayer, type PayerPage } from '../../support/payment-requests/payer.ts';
import type { Production } from '../../support/service/production.ts';

let production: Production;

before(async () => {
  production = await startTransferProduction();
});
after(() => production.stop());

/** A request of 100.00 EUR whose link a payer has opened. */
async function openedLink(fields: Readonly<Record<string, unknown>> = {}) {
  const link = await production.createLink({ amount: 100, ...fields });
  const payer = createPayer(production.service);
  const page = await payer.open(link.paymentLink);
  const { db } = production.service.database;
  const stored = await findTransferRequestOf(db, link.id);
  assert.ok(stored);
  return { ...link, payer, page, path: page.address, stored, db };
}

const send = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  createPayer(production.service).request(`${path}/sent`, {
    method: 'POST',
    body: new URLSearchParams(),
    headers,
  });

async function stepsOf(id: string): Promise<string[]> {
  const { json } = await production.call('GET', `/v1/payment-requests/${id}/timeline`);
  return json.data.flatMap(({ step }: { step?: string }) => step ?? []);
}

function assertNoAccount(html: string, reference: string): void {
  assert.doesNotMatch(html, /data-iban|data-reference|qr\.svg|qr\.png/);
  assert.ok(!html.includes(reference) && !html.includes(IBANS.german));
  assert.ok(!html.includes(reference.replaceAll(/.{4}(?=.)/g, '$& ')));
  assert.match(html, /Do not send m/);
}

/** The payer learns what to name, and whom to ask. */
function assertReference({ html, text }: PayerPage, shortCode: string): void {
  assert.ok(text.includes(`Reference of this request ${shortCode} Copy`), text);
  assert.match(html, /data-copy="facts\.reference"[^>]*>Copy the reference</);
  assert.match(text, /Questions about this payment\? Contact Harbour Books/);
}

describe('the page of a bank transfer', () => {
  it('shows who asks for how much, account and reference, plain and in groups', async () => {
    const { page, stored, path } = await openedLink();
    assert.match(path, /^\/transfer\/[\w-]{22}$/);
    assertPayerPage(page);
    assert.match(page.title, /^Transfer €100\.00 to Harbour Books$/);
    assert.match(page.text, /Harbour Books GmbH/);
    assert.match(page.text, /DE89 3704 0044 0532 0130 00/);
    assert.match(page.html, /data-iban="DE89370400440532013000"/);
    assert.ok(page.html.includes(`data-reference="${stored.reference}"`));
    assert.ok(page.text.includes(stored.reference.replaceAll(/.{4}(?=.)/g, '$& ')));
    assert.match(page.text, /Pay by.*Two books.*INV-77/);
    assert.match(page.text, /one to three working days/);
    assert.match(page.text, /reference exactly/);
    assert.doesNotMatch(page.text, /Simulation/);
  });

  it('is written in French, with an amount to copy as French banks take it', async () => {
    const { path } = await openedLink();
    const page = await createPayer(production.service).open(`${path}?lang=fr`);
    assertPayerPage(page, 'fr');
    assert.match(page.title, /^Virer 100,00 € à Harbour Books$/);
    assert.match(page.html, /id="amount" data-value="100,00"/);
  });

  it('offers a QR code of the whole transfer, to scan and to save', async () => {
    const { path, payer, stored, page } = await openedLink();
    assert.match(page.html, /<a href="\/transfer\/[\w-]+\/qr\.png" download/);
    const svg = await payer.request(`${path}/qr.svg`);
    assert.equal(svg.headers.get('content-type'), 'image/svg+xml');
    const png = await payer.request(`${path}/qr.png`);
    assert.match(png.headers.get('content-disposition') ?? '', /^attachment/);
    assert.equal(
      decodeQrPng(Buffer.from(await png.arrayBuffer())),
      ['BCD', '002', '1', 'SCT', '', 'Harbour Books GmbH', IBANS.german, 'EUR100.00', '']
        .concat(stored.reference, '', '')
        .join('\n'),
    );
  });

  it('asks for the rest after a part has arrived, also in the QR code', async () => {
    const { id, path, payer, db } = await openedLink();
    await send(path);
    await setTransferReceived(db, id, 4_000);
    const page = await payer.open(path);
    assert.match(page.title, /^Transfer the remaining €60\.00/);
    assert.match(page.text, /Received €40\.00 of €100\.00/);
    assert.match(page.html, /id="amount" data-value="60\.00"/);
    const png = await payer.request(`${path}/qr.png`);
    assert.match(decodeQrPng(Buffer.from(await png.arrayBuffer())), /^EUR60\.00$/m);
  });

  it('notes once that the payer has sent it, and changes no status', async () => {
    const { id, shortCode, path, payer } = await openedLink();
    for (let time = 0; time < 3; time++) {
      const answer = await send(path, { 'sec-fetch-site': 'same-origin' });
      assert.equal(answer.status, 303);
      assert.equal(answer.headers.get('location'), path);
    }
    const page = await payer.open(path);
    assert.match(page.title, /^Waiting for €100\.00 to arrive$/);
    assert.match(page.text, /marked as sent/);
    assert.match(page.text, /Sent Arrives at the bank Harbour Books is told/);
    assertReference(page, shortCode);
    await eventually(async () => (await stepsOf(id)).length > 0, 'the step');
    assert.deepEqual(await stepsOf(id), ['TRANSFER_SENT']);
    assert.deepEqual(await production.statusesOf(id), ['CREATED']);
  });

  it('takes no form from another site, and a GET changes nothing', async () => {
    const { path, payer, id, db } = await openedLink();
    assert.equal((await send(path, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await payer.request(`${path}/sent`)).status, 303);
    assert.equal((await findTransferRequestOf(db, id))?.sentAt, null);
  });

  it('says that a bank has announced the money', async () => {
    const { id, path, payer, db } = await openedLink();
    await markTransfersAnnounced(db, [id]);
    assert.match((await payer.open(path)).text, /Your bank says that the money/);
  });

  it('asks for no more money once more has arrived than was asked for', async () => {
    const { id, shortCode, path, payer, db, stored } = await openedLink();
    await setTransferReceived(db, id, 14_000);
    const page = await payer.open(path);
    assert.match(page.title, /^€140\.00 has arrived$/);
    assertNoAccount(page.html, stored.reference);
    assert.match(page.text, /€40\.00 more than that has arrived\. It is not lost/);
    assert.match(page.text, /Asked for €100\.00 Arrived €140\.00 Too much €40\.00/);
    assert.doesNotMatch(page.text, /Pay by/);
    assertReference(page, shortCode);
  });

  it('hides the account when the request is cancelled or has expired', async () => {
    const cancelled = await openedLink();
    await production.cancel(cancelled.id);
    await production.service.advance(1);
    await eventually(
      async () => /cancelled/.test((await cancelled.payer.open(cancelled.path)).title),
      'the cancelled page',
    );
    const expired = await openedLink();
    await production.service.database.sql(
      'UPDATE bank_transfer_requests SET expires_at = service_now() WHERE payment_request_id = $1',
      [expired.id],
    );
    for (const { path, payer, stored, shortCode } of [cancelled, expired]) {
      const page = await payer.open(path);
      assertPayerPage(page);
      assertNoAccount(page.html, stored.reference);
      assertReference(page, shortCode);
      assert.equal((await payer.request(`${path}/qr.png`)).status, 404);
      assert.equal((await payer.request(`${path}/qr.svg`)).status, 404);
    }
    assert.match((await expired.payer.open(expired.path)).title, /has expired/);
    const link = await cancelled.payer.open(cancelled.paymentLink);
    assert.match(link.text, /Do not send money.*recognised when it arrives/);
    assert.doesNotMatch(link.text, /No money was taken/);
  });

  it('tells how much has arrived when the request is over', async () => {
    const { id, path, payer, db } = await openedLink();
    await setTransferReceived(db, id, 4_000);
    await production.service.database.sql(
      'UPDATE bank_transfer_requests SET expires_at = service_now() WHERE payment_request_id = $1',
      [id],
    );
    assert.match((await payer.open(path)).text, /Do not send money.*Received €40\.00 of €100\.00/);
  });

  it('leads to the payment link once it is paid, and follows live until then', async () => {
    const { id, path, payer, db, stored, paymentLink } = await openedLink();
    const poll = async (): Promise<unknown> => {
      const address = `${path}/live?seen=${stored.version}`;
      const answer = await payer.request(address, { headers: { accept: 'application/json' } });
      return answer.json();
    };
    assert.deepEqual(await poll(), { hasChanged: false });
    const keys = await markTransferPaid(db, id, {
      state: 'SUCCEEDED',
      amountCents: 10_000,
      currency: 'EUR',
      institution: 'Payer Bank',
      networkReference: 'BANK-1',
      completedAt: new Date('2026-03-01T12:00:00.000Z'),
    });
    await notifyOfTransferChanges(db, keys);
    const hasChanged = async () => JSON.stringify(await poll()) === '{"hasChanged":true}';
    await eventually(hasChanged, 'the change');
    const answer = await payer.request(path);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `${paymentLink}?returned=1`);
  });

  it('does not exist under other keys, of which an address may try few', async () => {
    const from = { 'x-forwarded-for': '192.0.2.9' };
    const payer = createPayer(production.service);
    const { path } = await openedLink();
    for (let miss = 0; miss < 20; miss++) {
      const page = await payer.open(`/transfer/${'x'.repeat(21)}${miss % 10}`, from);
      assert.equal(page.status, 404);
    }
    const refused = await payer.request('/transfer/none', { headers: from });
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await payer.open(path, from)).status, 200);
  });

  it('takes a bounded number of forms from an address', async () => {
    const { path } = await openedLink();
    const from = { 'x-forwarded-for': '192.0.2.10' };
    const statuses: number[] = [];
    for (let time = 0; time < 61; time++) statuses.push((await send(path, from)).status);
    assert.deepEqual([...new Set(statuses)], [303, 429]);
    assert.equal(statuses.indexOf(429), 60);
  });
});

describe('the page of a demo', () => {
  it('says that no real money moves', async () => {
    const demo = await startTransferProduction({ settings: { BANK_DEMO: 'yes' } });
    try {
      const { paymentLink } = await demo.createLink();
      const page = await createPayer(demo.service).open(paymentLink);
      assert.match(page.html, /class="notice"[^>]*><p>Simulation: .* no real money moves/);
      const unknown = await createPayer(demo.service).open('/transfer/none');
      assert.match(unknown.html, /no real money moves/);
    } finally {
      await demo.stop();
    }
  });
});
