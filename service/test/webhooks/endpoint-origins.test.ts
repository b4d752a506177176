import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../commands/run-cli.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

describe('an endpoint in production', () => {
  let service: TestService;
  let merchant: TestMerchant;
  before(async () => {
    service = await startTestService({ environment: 'production', start: new Date() });
    merchant = await service.createMerchant({ webhookOrigins: ['https://1.1.1.1'] });
  });
  after(() => service?.stop());

  const call = (method: string, path: string, body: unknown) =>
    service.call(method, `/v1/webhook-endpoints${path}`, { headers: merchant.headers, body });
  async function assertRefused(answer: ReturnType<typeof call>) {
    const { status, json } = await answer;
    assert.equal(status, 400);
    assert.deepEqual(
      [json.errors[0].field, json.errors[0].code, json.errors.length],
      ['url', 'INVALID_VALUE', 1],
    );
    assert.match(json.errors[0].message, /not an origin that this merchant registered/);
  }
  async function origins(...options: string[]) {
    const command = ['merchant', 'set-webhook-origins', '--merchant', merchant.merchantId];
    return runCli([...command, '--json', ...options], service.env);
  }

  it('lies at an origin that the operator registered, when it is made and when it moves', async () => {
    await assertRefused(call('POST', '', { url: 'https://1.0.0.1/hook' }));
    await assertRefused(call('POST', '', { url: 'https://1.1.1.1.nip.example/hook' }));
    const created = await call('POST', '', { url: 'https://1.1.1.1/hook' });
    assert.equal(created.status, 201, created.text);
    const path = `/${created.json.id}`;
    await assertRefused(call('PATCH', path, { url: 'https://1.0.0.1/hook' }));
    assert.equal((await call('PATCH', path, { url: 'https://1.1.1.1/other' })).status, 200);
  });

  it('may move to an origin that payreq has registered; a URL that stays is not judged', async () => {
    const added = await origins('--add', 'https://1.0.0.1', '--remove', 'https://1.1.1.1');
    assert.deepEqual(added.json().webhookOrigins, ['https://1.0.0.1']);
    // The services learn of it within 5 s, as of every change of a merchant.
    await service.advance(6);
    const { data } = (await call('GET', '', undefined)).json;
    const [{ id, url }] = data;
    assert.equal((await call('PATCH', `/${id}`, { url, description: 'x' })).status, 200);
    await assertRefused(call('POST', '', { url: 'https://1.1.1.1/new' }));
    assert.equal((await call('PATCH', `/${id}`, { url: 'https://1.0.0.1/' })).status, 200);
    const audit = await service.database.sql<{ details: object }>(
      `SELECT details FROM audit_log WHERE action = 'WEBHOOK_ORIGINS_CHANGED'`,
    );
    assert.deepEqual(audit[0]?.details, {
      added: ['https://1.0.0.1'],
      removed: ['https://1.1.1.1'],
      before: ['https://1.1.1.1'],
    });
  });

  it('is not reached by what is no origin', async () => {
    for (const text of ['http://a.example', 'https://a.example/hook', 'a.example']) {
      const ran = await origins('--add', text);
      assert.equal(ran.exitCode, 1);
      assert.match(ran.stderr, /not a webhook origin/);
    }
  });
});
