import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { inboxTables } from '../support/documents/guide-listeners.ts';
import { snippetNamed, writeSnippets } from '../support/documents/guide-snippets.ts';
import { eventually } from '../support/eventually.ts';
import { startTestService, type TestService } from '../support/service/service.ts';
import { untilFed } from '../support/webhooks/until-fed.ts';

const NODE_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

interface Paid {
  readonly amount: number;
  readonly payment: { readonly networkReference: string };
}

describe('the guide to reconcile', () => {
  let folder: string;
  let shop: TestDatabase;
  let service: TestService;
  let headers: Readonly<Record<string, string>>;
  let readFeed: () => Promise<void>;
  let readPaid: (now: Date) => Promise<void>;
  let readLedger: () => Promise<void>;
  let checkDay: (
    date: string,
    since?: string,
  ) => Promise<{ closingSum: number; open: string[]; nextCursor: string }>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guide-reconciliation-'));
    symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeSnippets(folder, [
      'inbox.js',
      'read-feed.js',
      'read-paid.js',
      'read-ledger.js',
      'check-day.js',
    ]);
    shop = await createTestDatabase('sandbox');
    // The shop's database holds none of the service's tables.
    await shop.sql('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await shop.sql(inboxTables());
    await shop.sql(snippetNamed('reconciliation.sql'));
    service = await startTestService();
    const merchant = await service.createMerchant();
    headers = merchant.headers;
    Object.assign(process.env, {
      DATABASE_URL: shop.url,
      BASE_URL: `${service.url}/v1`,
      AUTH_URL: `${service.url}/oauth2/token`,
      API_USERNAME: merchant.username,
      API_PASSWORD: merchant.password,
      API_KEY: merchant.apiKey,
    });
    ({ readFeed } = await import(pathToFileURL(join(folder, 'read-feed.js')).href));
    ({ readLedger } = await import(pathToFileURL(join(folder, 'read-ledger.js')).href));
    ({ checkDay } = await import(pathToFileURL(join(folder, 'check-day.js')).href));
    ({ readPaid } = await import(pathToFileURL(join(folder, 'read-paid.js')).href));
  });
  after(async () => {
    await service?.stop();
    await shop?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An order of the shop, and its payment request, which is paid without a webhook. */
  async function sell(reference: string, amount: number, orderCents = amount * 100): Promise<Paid> {
    await shop.sql('INSERT INTO orders VALUES ($1, $2)', [reference, orderCents]);
    const body = {
      amount,
      type: 'ECOMM',
      payer: { name: 'Ada', email: 'ada@example.com' },
      merchantTransactionId: reference,
    };
    const { json } = await service.call('POST', '/v1/payment-requests', { headers, body });
    const simulations = `/v1/sandbox/payment-requests/${json.id}/simulations`;
    await service.call('POST', simulations, { headers, body: { outcome: 'PAID' } });
    await untilFed(service, headers, json.id);
    return (await service.call('GET', `/v1/payment-requests/${json.id}`, { headers })).json;
  }

  const book = ({ payment, amount }: Paid, cents = amount * 100) =>
    shop.sql('INSERT INTO bank_entries VALUES ($1, $2, now())', [payment.networkReference, cents]);

  it('releases what no webhook brought, and goes on behind the last event', async (test) => {
    test.mock.method(console, 'error', () => {});
    const released = () => shop.sql('SELECT reference FROM orders WHERE released_at IS NOT NULL');
    await book(await sell('right', 10));
    await readFeed();
    assert.deepEqual(await released(), [{ reference: 'right' }]);
    const stored = async () => (await shop.sql('SELECT id FROM payment_events')).length;
    assert.equal(await stored(), 1);
    const [place] = await shop.sql('SELECT cursor FROM feed_place');
    await readFeed();
    assert.deepEqual(await shop.sql('SELECT cursor FROM feed_place'), [place]);
    await book(await sell('another-price', 20, 2500));
    await readFeed();
    assert.equal(await stored(), 2);
    assert.deepEqual(await released(), [{ reference: 'right' }]);
  });

  it('reads an event again that it could not store', async () => {
    await book(await sell('stored-later', 50));
    const [place] = await shop.sql('SELECT cursor FROM feed_place');
    await shop.sql('ALTER TABLE payment_events RENAME TO payment_events_away');
    await assert.rejects(readFeed());
    await shop.sql('ALTER TABLE payment_events_away RENAME TO payment_events');
    assert.deepEqual(await shop.sql('SELECT cursor FROM feed_place'), [place]);
    await readFeed();
    const released =
      "SELECT FROM orders WHERE reference = 'stored-later' AND released_at IS NOT NULL";
    assert.equal((await shop.sql(released)).length, 1);
  });

  it('copies the ledger once, and its report has the sum and what came later', async () => {
    const sum = async () => {
      const [row] = await shop.sql<{ count: number; cents: number }>(
        'SELECT count(*)::int AS count, coalesce(sum(amount_cents), 0)::int AS cents FROM money_entries',
      );
      return row ?? assert.fail();
    };
    await readLedger();
    const before = await sum();
    const day = new Date(service.clock.now()).toISOString().slice(0, 10);
    const { closingSum, nextCursor } = await checkDay(day);
    assert.equal(Math.round(closingSum * 100), before.cents);
    const { payment } = await sell('in-the-ledger', 60);
    await eventually(async () => {
      await readLedger();
      return (await sum()).count > before.count;
    }, 'the entry in the copy');
    assert.deepEqual(await sum(), { count: before.count + 1, cents: before.cents + 6000 });
    const [copied] = await shop.sql('SELECT type FROM money_entries WHERE network_reference = $1', [
      payment.networkReference,
    ]);
    assert.deepEqual(copied, { type: 'PAYMENT' });
    const later = await checkDay(day, nextCursor);
    assert.equal(Math.round(later.closingSum * 100), before.cents + 6000);
    assert.deepEqual(later.open, []);
  });

  it('names every difference between payment requests, statement and orders', async () => {
    await sell('not-booked', 30);
    const less = await sell('less-booked', 40);
    await book(less, 3900);
    await readFeed();
    await shop.sql("INSERT INTO bank_entries VALUES ('STRANGE', 500, now())");
    await readPaid(service.clock.now());
    const rows = await shop.sql<{ reference: string | null; difference: string }>(
      snippetNamed('differences.sql'),
    );
    const found = Object.fromEntries(
      rows.map(({ reference, difference }) => [reference ?? 'none', difference]),
    );
    assert.deepEqual(found, {
      'another-price': 'paid, but no order was released',
      'not-booked': 'paid, but not on the statement yet',
      'in-the-ledger': 'paid, but not on the statement yet',
      'less-booked': 'another amount on the statement',
      none: 'on the statement, but no payment request',
    });
  });
});
