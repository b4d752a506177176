import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../support/network/tcp-proxy.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let proxy: TcpProxy;
let database: TestDatabase;
let service: TestService;
let merchant: TestMerchant;

before(async () => {
  const start = new Date('2026-03-01T12:00:00.000Z');
  database = await createTestDatabase('sandbox', start);
  proxy = await startTcpProxy(database.address);
  service = await startTestService({
    database,
    settings: { DATABASE_URL: database.urlAt(proxy.port) },
    start,
  });
  merchant = await service.createMerchant();
});
after(async () => {
  proxy?.restore();
  await service?.stop();
  await proxy?.close();
});

const create = () =>
  service.call('POST', '/v1/payment-requests', { headers: merchant.headers, body: GOOD });

describe('while the database is away', () => {
  it('calls are answered 503 with Retry-After, readiness says why, and all heals by itself', async () => {
    assert.equal((await create()).status, 201);
    assert.equal((await fetch(`${service.opsUrl}/health/ready`)).status, 200);

    proxy.cut();
    const refused = await create();
    assert.equal(refused.status, 503, refused.text);
    assert.equal(refused.json.code, 'TEMPORARILY_UNAVAILABLE');
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    const notReady = await fetch(`${service.opsUrl}/health/ready`);
    assert.equal(notReady.status, 503);
    assert.ok(((await notReady.json()) as { reason: string }).reason.length > 0);
    assert.equal((await fetch(`${service.opsUrl}/health/live`)).status, 200);
    const token = await service.call('POST', '/oauth2/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=client_credentials&client_id=${merchant.username}&client_secret=x`,
    });
    assert.equal(token.status, 503, token.text);
    assert.match(token.headers.get('retry-after') ?? '', /^\d+$/);

    proxy.restore();
    await eventually(async () => (await create()).status === 201);
    await eventually(async () => (await fetch(`${service.opsUrl}/health/ready`)).status === 200);
  });

  it('the loops survive: what fell due during the outage happens after it', async () => {
    const created = await service.call('POST', '/v1/payment-requests', {
      headers: merchant.headers,
      body: { ...GOOD, payer: { ...GOOD.payer, name: 'depositSubmit' } },
    });
    assert.equal(created.status, 201);
    proxy.cut();
    await service.advance(11);
    await eventually(() => service.logLines.some((line) => line.msg === 'background loop failed'));
    proxy.restore();
    await eventually(async () => {
      const { json } = await service.call('GET', `/v1/payment-requests/${created.json.id}`, {
        headers: merchant.headers,
      });
      return json?.status === 'PAID';
    });
  });

  it('a full disk that refuses every creation fails readiness, which heals by itself', async () => {
    // The probe's own write fits into its page, as on a real full disk.
    await service.database.sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
    );
    await service.database.sql(
      'CREATE TRIGGER refuse BEFORE INSERT ON payment_requests EXECUTE FUNCTION refuse()',
    );
    const ready = async () => {
      const response = await fetch(`${service.opsUrl}/health/ready`);
      const { reason } = (await response.json()) as { reason?: string };
      return { status: response.status, reason };
    };
    for (const _ of [1, 2]) assert.equal((await create()).status, 503);
    assert.equal((await ready()).status, 200, 'two refusals say nothing');
    const refused = await create();
    assert.equal(refused.status, 503);
    assert.match(refused.json.detail, /Nothing was lost/);
    const { status, reason } = await ready();
    assert.equal(status, 503);
    assert.match(reason ?? '', /disk is full; it refused 3 of the last \d+ calls/);
    await service.database.sql('DROP TRIGGER refuse ON payment_requests');
    // Without a call, after ten seconds.
    service.clock.advance(10_000);
    assert.equal((await ready()).status, 200);
  });

  it('a lost answer to a commit is answered as such; a call that wrote nothing is not', async () => {
    const key = { ...merchant.headers, 'idempotency-key': randomUUID() };
    const send = (headers: Readonly<Record<string, string>>) =>
      service.call('POST', '/v1/payment-requests', { headers, body: GOOD });
    await eventually(async () => (await create()).status === 201);
    proxy.cutAnswers();
    const doubtful = await send(key);
    proxy.restore();
    assert.equal(doubtful.status, 503);
    assert.match(doubtful.json.detail, /may or may not have been done/);
    assert.match(doubtful.json.detail, /Idempotency-Key/);
    await eventually(async () => (await send(key)).status === 201);
    proxy.cut();
    // The first one may be sent on a connection that is not yet known to be cut.
    await create();
    const refused = await create();
    const read = await service.call('GET', '/v1/payment-requests', { headers: merchant.headers });
    proxy.restore();
    for (const { status, json } of [refused, read]) {
      assert.equal(status, 503);
      assert.match(json.detail, /Nothing was lost/);
    }
    await eventually(async () => (await create()).status === 201);
  });

  it('a read-only database (a demoted primary) is an outage too', async () => {
    await service.database.sql(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',
         current_database()); END $$`,
    );
    proxy.cut();
    proxy.restore();
    try {
      await eventually(async () => {
        const { status, json } = await create();
        return status === 503 && json.code === 'TEMPORARILY_UNAVAILABLE';
      });
      const ready = await fetch(`${service.opsUrl}/health/ready`);
      assert.equal(ready.status, 503);
    } finally {
      await service.database.sql(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only',
           current_database()); END $$`,
      );
    }
    proxy.cut();
    proxy.restore();
    await eventually(async () => (await create()).status === 201);
  });
});
