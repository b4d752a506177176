import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { assertPayerPage } from '../support/browser/payer-page.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../support/network/tcp-proxy.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import { type Production, startProduction } from '../support/service/production.ts';

let production: Production;

/** The gateway's books after its process died behind the payer's confirmation. */
async function confirmAndDie(id: string): Promise<void> {
  await production.service.database.sql(
    `UPDATE gateway_payments SET state = 'CONFIRMED', institution = 'Boreal Bank',
       network_reference = 'SN1', confirmed_at = service_now(),
       report_due_at = service_now() + interval '10 seconds'
     WHERE payment_request_id = $1`,
    [id],
  );
}

async function gatewayStateOf(id: string): Promise<string | undefined> {
  const [row] = await production.service.database.sql<{ state: string }>(
    'SELECT state FROM gateway_payments WHERE payment_request_id = $1 AND report_due_at IS NULL',
    [id],
  );
  return row?.state;
}

async function openedLink() {
  const link = await production.createLink();
  await createPayer(production.service).open(link.paymentLink);
  return link;
}

describe('a confirmation whose process died', () => {
  beforeEach(async () => {
    production = await startProduction();
  });
  afterEach(() => production.stop());

  it('is reported by a living process, and the money moves then', async () => {
    const { id } = await openedLink();
    await confirmAndDie(id);
    await production.service.advance(9);
    assert.equal((await production.read(id)).status, 'CREATED');
    await production.service.advance(1);
    await eventually(async () => (await gatewayStateOf(id)) === 'SETTLED', 'SETTLED');
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
  });

  it('that was taken already is not taken twice', async () => {
    const { id, paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    await payer.send(await payer.signIn(paymentLink, 'approve'), { decision: 'confirm' });
    const { networkReference } = (await production.read(id)).payment;
    const { sql } = production.service.database;
    await sql("UPDATE gateway_payments SET state = 'CONFIRMED', report_due_at = service_now()");
    await production.service.advance(0);
    await eventually(async () => (await gatewayStateOf(id)) === 'SETTLED', 'SETTLED');
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
    assert.equal((await production.read(id)).payment.networkReference, networkReference);
    assert.deepEqual(await sql('SELECT kind FROM operator_cases'), []);
  });

  it('moves no money for what was cancelled meanwhile', async () => {
    const { id } = await openedLink();
    await confirmAndDie(id);
    assert.equal((await production.cancel(id)).status, 200);
    await production.service.advance(10);
    await eventually(async () => (await gatewayStateOf(id)) === 'CANCELLED', 'CANCELLED');
    await production.service.advance(3_600);
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'CANCELLED']);
  });
});

describe('while the database is away', () => {
  let proxy: TcpProxy;

  beforeEach(async () => {
    const start = new Date('2026-03-01T12:00:00.000Z');
    const database = await createTestDatabase('production', start);
    proxy = await startTcpProxy(database.address);
    const settings = { DATABASE_URL: database.urlAt(proxy.port) };
    production = await startProduction({ database, settings });
  });
  afterEach(async () => {
    proxy.restore();
    await production.stop();
    await proxy.close();
  });

  it('a link says that it is our fault, and that nothing was taken', async () => {
    const { paymentLink } = await production.createLink();
    proxy.cut();
    for (const [language, title] of [
      ['en', 'We can’t open this page right now'],
      ['fr', 'Impossible d’ouvrir cette page en ce moment'],
    ] as const) {
      const page = await createPayer(production.service).open(`${paymentLink}?lang=${language}`);
      assert.equal(page.status, 503);
      assert.equal(page.headers.get('retry-after'), '2');
      assert.equal(page.title, title);
      assertPayerPage(page, language);
    }
  });

  it('a confirmation says that nobody knows yet, and can be made again', async () => {
    const { id, paymentLink } = await production.createLink();
    const payer = createPayer(production.service);
    const confirm = await payer.signIn(paymentLink, 'approve');
    proxy.cut();
    const unsure = await payer.send(confirm, { decision: 'confirm' });
    assert.equal(unsure.status, 503);
    assert.equal(unsure.title, 'We couldn’t finish that step');
    assert.match(unsure.text, /Look again in a minute, here or by your payment link/);
    // A link, which does nothing, and no form, which would try again.
    assert.ok(unsure.html.includes(`href="${confirm.address}"`));
    assert.doesNotMatch(unsure.html, /<form/);
    assert.doesNotMatch(unsure.text, /[Nn]othing was paid|[Nn]o money was taken/);
    assertPayerPage(unsure);
    proxy.restore();
    const result = await eventually(async () => {
      const page = await payer.send(confirm, { decision: 'confirm' });
      return page.status === 200 && page;
    }, 'the result');
    assert.match(result.title, /^You paid/);
    assert.deepEqual(await production.statusesOf(id), ['CREATED', 'PAID']);
  });
});
