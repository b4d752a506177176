import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Database, Statement } from '#database/database.ts';
import { indexTexts } from '#payment-requests/search-texts/index-texts.ts';
import { runCli } from '../commands/run-cli.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { eventually } from '../support/eventually.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let shop: TestMerchant;
let other: TestMerchant;
let support: ConsoleClient;
let operator: ConsoleClient;

before(async () => {
  service = await startTestService();
  shop = await service.createMerchant({ name: 'Own Shop' });
  other = await service.createMerchant({ name: 'Other Shop' });
  support = await signIn(service, { role: 'support', merchantId: shop.merchantId });
  operator = await signIn(service, { role: 'operator-readonly' });
});
after(() => service?.stop());

async function create(fields: object, name = 'Zoë Tremblay', merchant = shop): Promise<string> {
  const payer = { name, email: 'zoe@example.com', merchantAccountId: 'Kunde-7781' };
  const { json } = await paymentRequestCalls(service, merchant).create({ payer, ...fields });
  return json.id;
}

/** The ids that a search finds. */
async function search(q: string, client = support): Promise<string[]> {
  const { location = '' } = await client.post('/console/search', { q });
  return location?.match(/[0-9a-f-]{36}/g) ?? [];
}

const found = (q: string, ids: readonly string[], client = support) =>
  eventually(async () => `${await search(q, client)}` === `${ids}`, `${ids} by ${q}`);

describe('a search by parts', () => {
  it('finds name, customer number, references and message within 5 s', async () => {
    const id = await create({
      invoiceNumber: 'INV-2026-1267',
      merchantTransactionId: 'Order/4711',
      displayMessage: 'Straße & Œuvre',
      metadata: { cart: 'W-90210' },
    });
    await service.advance(5);
    const values = [
      ...['zoe tremb', 'TREMBLAY, Zoë', 'kunde-77', '7781', '1267', 'inv-2026-1267', 'Inv 1267'],
      ...['order/47', 'STRASSE', 'oeuv', 'w-902'],
    ];
    for (const value of values) await found(value, [id]);
    for (const value of ['inv-1267', 'zo', '12', '%%%', 'tremblay 1268', `${'zoe '.repeat(30)}`]) {
      assert.deepEqual(await search(value), [], value);
    }
  });

  it('finds for people of a merchant what is theirs, for operators all, newest first', async () => {
    const own = await create({}, 'Ḡrégoire Łuka');
    await service.advance(1);
    const foreign = await create({}, 'Gregoire Luka', other);
    await service.advance(5);
    await found('gregoire luka', [foreign, own], operator);
    assert.deepEqual(await search('gregoire luka'), [own]);
    const { html } = await support.post('/console/search', { q: 'gregoire', typing: '1' });
    assert.ok(html.includes(own) && !html.includes(foreign), html);
  });

  it('finds what an update has written, and nothing that it has replaced', async () => {
    const id = await create({ displayMessage: 'blue chairs' });
    await service.advance(5);
    await found('blue chair', [id]);
    await paymentRequestCalls(service, shop).update(id, { displayMessage: 'red sofas' });
    await service.advance(5);
    await found('red sofa', [id]);
    assert.deepEqual(await search('blue chair'), []);
  });
});

describe('the texts of a search', () => {
  let quiet: TestService;
  let calls: ReturnType<typeof paymentRequestCalls>;
  let merchantId: string;
  const index = () => indexTexts(quiet.database.db);
  const rows = () =>
    quiet.database.sql<{ id: string; text: string }>(
      'SELECT payment_request_id AS id, search_text AS text FROM payment_request_texts ORDER BY 1',
    );
  const indexed = (count: number) =>
    eventually(async () => {
      await index();
      return (await rows()).length === count;
    }, `${count} texts`);

  before(async () => {
    // Without loops: only the tests write texts.
    quiet = await startTestService({ roles: ['api'] });
    const merchant = await quiet.createMerchant();
    merchantId = merchant.merchantId;
    calls = paymentRequestCalls(quiet, merchant);
  });
  after(() => quiet?.stop());

  const erase = (id: string) =>
    runCli(
      ['payer', 'erase', '--merchant', merchantId, '--yes', '--payment-request', id],
      quiet.env,
    );

  it('lose an erased payer at once, and keep the references', async () => {
    const members = { invoiceNumber: 'INV-9', displayMessage: 'for Ada' };
    const { id } = (await calls.create(members)).json;
    await calls.cancel(id);
    await indexed(1);
    assert.match((await rows())[0]?.text ?? '', /ada payer\n inv 9\n for ada/);
    assert.equal((await erase(id)).exitCode, 0);
    assert.equal((await rows())[0]?.text, ' erased\n inv 9');
  });

  it('keep no payer who is erased while they are written', async () => {
    const { id } = (await calls.create({ invoiceNumber: 'INV-10' })).json;
    await calls.cancel(id);
    let erasing: ReturnType<typeof erase> | undefined;
    const eraseMeanwhile: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        quiet.database.db.transaction((tx) =>
          work({
            async query<Row>(statement: Statement, values?: readonly unknown[]) {
              const found = await tx.query<Row>(statement, values);
              if (!statement.name.includes('take-created') || found.length === 0) return found;
              let isOver = false;
              erasing = erase(id).finally(() => {
                isOver = true;
              });
              await eventually(async () => isOver || (await isSomeoneLocked()), 'the erasure');
              return found;
            },
          }),
        ),
    };
    await eventually(async () => {
      await indexTexts(eraseMeanwhile);
      return erasing !== undefined;
    }, 'the text');
    assert.equal((await erasing)?.exitCode, 0);
    assert.equal((await rows()).find((row) => row.id === id)?.text, ' erased\n inv 10');
  });

  async function isSomeoneLocked(): Promise<boolean> {
    const waiting = await quiet.database.sql(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  }

  it('are written for the rows of a restored dump, page by page', async () => {
    for (let number = 0; number < 4; number += 1) await calls.create();
    await indexed(6);
    const before = await rows();
    // As docs/operations/backup.md prepares the dump; the texts of the last moments are missing.
    await quiet.database.sql('TRUNCATE payment_request_texts');
    await quiet.database.sql("UPDATE payment_requests SET creation_transaction = '0'");
    await quiet.database.sql('DELETE FROM payment_request_text_progress');
    await quiet.database.sql('INSERT INTO payment_request_text_progress DEFAULT VALUES');
    await indexTexts(quiet.database.db, 4);
    assert.equal((await rows()).length, 4);
    for (let run = 0; run < 2; run += 1) await indexTexts(quiet.database.db, 4);
    assert.deepEqual(await rows(), before);
  });
});
