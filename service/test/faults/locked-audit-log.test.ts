import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { buyToken, startTestService, type TestService } from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
/** Six times the connections of the pool. */
const CHANGES = 60;

let service: TestService;

before(async () => {
  service = await startTestService({ roles: ['api'], settings: { WEBHOOK_ALLOW_PORTS: '*' } });
});
after(() => service?.stop());

describe('while the end of the audit log is locked', () => {
  it('changes of endpoints fail, and all other calls are answered', async () => {
    const changing = await service.createMerchant();
    const other = await service.createMerchant();
    const registered = await service.call('POST', '/v1/webhook-endpoints', {
      headers: changing.headers,
      body: { url: 'https://shop.example/hooks' },
    });
    assert.equal(registered.status, 201, registered.text);
    const holder = new pg.Client({ connectionString: service.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM audit_log_head FOR UPDATE');
    const path = `/v1/webhook-endpoints/${registered.json.id}`;
    const rotate = () =>
      service.call('POST', `${path}/rotate-secret`, {
        headers: changing.headers,
        body: { force: true },
      });
    const change = (n: number) =>
      service.call('PATCH', path, {
        headers: { ...changing.headers, 'content-type': 'application/merge-patch+json' },
        body: { description: `${n}` },
      });
    const changes = Array.from({ length: CHANGES }, (_, n) => (n % 2 ? rotate() : change(n)));
    await eventually(async () => {
      const [row] = await service.database.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock'`,
      );
      return row !== undefined;
    }, 'a change that waits');
    const { headers } = other;
    for (let n = 0; n < 3; n += 1) {
      const created = await service.call('POST', '/v1/payment-requests', { headers, body: GOOD });
      assert.equal(created.status, 201, created.text);
      const read = await service.call('GET', '/v1/payment-requests?limit=1', { headers });
      assert.equal(read.status, 200, read.text);
      await buyToken(service.call, other);
    }
    await Promise.race(changes);
    await holder.end();
    const statuses = new Set((await Promise.all(changes)).map(({ status }) => status));
    assert.ok(statuses.has(503), 'the lock was felt');
    assert.ok([...statuses].every((status) => status === 503 || status === 200));
    assert.equal((await rotate()).status, 200);
  });
});
