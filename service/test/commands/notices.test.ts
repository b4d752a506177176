import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { insertOperatorCases } from '#payment-requests/status/operator-case-store.ts';
import { startTestService, type TestService } from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

describe('payreq notices and payreq cases', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ roles: ['api'] });
  });
  after(() => service?.stop());
  const run = (...args: string[]) => runCli(args, service.env);

  it('say that all is well', async () => {
    assert.equal((await run('notices')).stdout, 'Every endpoint is well.\n');
    assert.equal((await run('cases', 'list')).stdout, 'There is no open case.\n');
  });

  it('show a paused endpoint with what it is owed, a failing one, and what was given up', async () => {
    const merchant = await service.createMerchant({ webhookUrl: 'https://hooks.example/' });
    const body = { amount: 10, type: 'ECOMM', payer: { name: 'Ada', email: 'a@b.example' } };
    const { headers } = merchant;
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const { json } = await service.call('POST', '/v1/payment-requests', { headers, body });
      await service.call('POST', `/v1/payment-requests/${json.id}/cancellation`, { headers });
      ids.push(json.id);
    }
    const { sql } = service.database;
    await sql(`UPDATE webhook_endpoints SET status = 'PAUSED', paused_reason = 'GONE'`);
    await sql(
      `UPDATE webhook_deliveries SET status = 'EXHAUSTED', next_attempt_at = NULL,
         completed_at = service_now() WHERE payment_request_id = $1`,
      [ids[1]],
    );
    await sql(
      `INSERT INTO webhook_destinations (destination, failures, opened_at, next_probe_at)
       VALUES ('m https://other.example', 12, service_now(), service_now())`,
    );
    const notices = (await run('notices', '--json')).json();
    assert.equal(notices.paused.length, 1);
    assert.equal(notices.paused[0].held, 1);
    assert.equal(notices.paused[0].reason, 'GONE');
    assert.equal(notices.failing[0].destination, 'm https://other.example');
    assert.equal(notices.exhausted[0].deliveries, 1);
    assert.equal(notices.openCases, 0);
    const { stdout } = await run('notices');
    assert.match(stdout, /^PAUSED +mer_.* +https:\/\/hooks.example\/ .* +GONE, 1 held$/m);
    await service.advance(8 * 86_400);
    assert.deepEqual((await run('notices', '--json')).json().exhausted, []);
  });

  it('leave out tests that failed, and what was given up with a deleted endpoint', async () => {
    const { headers } = await service.createMerchant();
    const call = (method: string, path: string, body?: object) =>
      service.call(method, `/v1${path}`, { headers, ...(body && { body }) });
    const { json } = await call('POST', '/webhook-endpoints', { url: 'https://hooks.example/' });
    assert.equal((await call('POST', `/webhook-endpoints/${json.id}/test`)).status, 202);
    const { sql } = service.database;
    const [test] = await sql(
      `UPDATE webhook_deliveries SET status = 'EXHAUSTED', next_attempt_at = NULL,
         completed_at = service_now() WHERE endpoint_id = $1 RETURNING id`,
      [json.id],
    );
    assert.ok(test);
    const payer = { name: 'Ada', email: 'a@b.example' };
    const body = { amount: 10, type: 'ECOMM', payer };
    const { id } = (await call('POST', '/payment-requests', body)).json;
    await call('POST', `/payment-requests/${id}/cancellation`);
    assert.equal((await call('DELETE', `/webhook-endpoints/${json.id}`)).status, 204);
    const [ended] = await sql(
      'SELECT status, ended_because FROM webhook_deliveries WHERE payment_request_id = $1',
      [id],
    );
    assert.deepEqual(ended, { status: 'EXHAUSTED', ended_because: 'ENDPOINT_DELETED' });
    assert.deepEqual((await run('notices', '--json')).json().exhausted, []);
  });

  it('list an open case and close it once, with a note in the audit log', async () => {
    const id = randomUUID();
    await insertOperatorCases(service.database.db, [
      {
        id,
        kind: 'UNKNOWN_PAYMENT_REQUEST',
        paymentRequestId: null,
        merchantId: null,
        details: { networkReference: 'R1' },
        openedAt: service.clock.now(),
      },
    ]);
    assert.match((await run('notices')).stdout, /^Open cases: 1\. See: payreq cases list$/m);
    const [listed] = (await run('cases', 'list', '--json')).json().cases;
    assert.equal(listed.id, id);
    assert.deepEqual(listed.details, { networkReference: 'R1' });

    assert.equal((await run('cases', 'close', id)).exitCode, 2);
    const closed = await run('cases', 'close', id, '--note', 'paid back');
    assert.equal(closed.exitCode, 0, closed.stderr);
    assert.deepEqual((await run('cases', 'list', '--json')).json().cases, []);
    const [kept] = (await run('cases', 'list', '--all', '--json')).json().cases;
    assert.ok(kept.closedDateTime);
    const again = await run('cases', 'close', id, '--note', 'paid back');
    assert.equal(again.exitCode, 1);
    assert.match(again.stderr, /No open case has the id/);
    const audit = await service.database.sql(
      `SELECT details FROM audit_log WHERE action = 'OPERATOR_CASE_CLOSED'`,
    );
    assert.deepEqual(audit, [
      { details: { caseId: id, kind: 'UNKNOWN_PAYMENT_REQUEST', note: 'paid back' } },
    ]);
  });
});
