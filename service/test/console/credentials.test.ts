import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const HOUR_SECONDS = 3_600;

describe('the credentials of a merchant on the console', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let ada: ConsoleClient;
  let path: string;
  before(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    merchant = await service.createMerchant();
    // Merchants of tests are made by the clock of this machine, which is ahead of the service's.
    await service.database.sql('UPDATE api_keys SET created_at = $1', [service.clock.now()]);
    path = `/console/m/${merchant.merchantId}/credentials`;
    ada = await signIn(service, { role: 'administrator', merchantId: merchant.merchantId });
  });
  after(() => service.stop());

  const hidden = (html: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
  const settingIn = (text: string, name: string) =>
    new RegExp(`^${name}=(.+)$`, 'm').exec(text)?.[1] ?? '';
  async function rotate(fields: Record<string, string>, client = ada) {
    const { html } = await client.get(`${path}/rotate?username=${merchant.username}`);
    const [username, seen] = [hidden(html, 'username'), hidden(html, 'seen')];
    return client.post(`${path}/rotate`, { username, seen, overlap: '24', ...fields });
  }
  const create = (key: string, token = merchant.token) =>
    service.call('POST', '/v1/payment-requests', {
      headers: { ...merchant.headers, 'x-api-key': key, authorization: `Bearer ${token}` },
      body: { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } },
    });
  const audited = (action: string) =>
    service.database.sql<{ actor: string; details: Record<string, unknown> }>(
      'SELECT actor, details FROM audit_log WHERE merchant_id = $1 AND action = $2',
      [merchant.merchantId, action],
    );

  it('are listed with their last use, and never with a secret', async () => {
    assert.equal((await create(merchant.apiKey)).status, 201);
    const page = await eventually(async () => {
      const { html } = await ada.get(path);
      // The password's and the key's.
      return (
        [...html.matchAll(/(?:Last use |<td data-label="Last use">)<time class=/g)].length === 2 &&
        html
      );
    });
    assert.match(page, new RegExp(merchant.username));
    assert.ok(page.includes(`${merchant.apiKey.slice(0, 10)}…`));
    for (const secret of [merchant.apiKey, merchant.password]) assert.ok(!page.includes(secret));
  });

  it('are rotated with an overlap, and shown once without being stored or logged', async () => {
    const answer = await rotate({});
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const file = decodeURIComponent(/href="data:[^,]+,([^"]+)"/.exec(answer.html)?.[1] ?? '');
    const [apiKey, password] = [settingIn(file, 'API_KEY'), settingIn(file, 'API_PASSWORD')];
    assert.ok(answer.html.includes(apiKey) && answer.html.includes(password));
    assert.equal(settingIn(file, 'API_USERNAME'), merchant.username);
    assert.equal(settingIn(file, 'BASE_URL'), service.publicApiUrl);
    for (const key of [apiKey, merchant.apiKey]) assert.equal((await create(key)).status, 201);
    const page = (await ada.get(path)).html;
    assert.match(page, /A rotation is under way/);
    assert.match(page, /ends in 24 hours/);
    await service.advance(23 * HOUR_SECONDS);
    const later = await signIn(service, {
      role: 'administrator',
      merchantId: merchant.merchantId,
    });
    assert.match((await later.get(path)).html, /ends in 60 minutes/);
    assert.ok(!JSON.stringify(service.logLines).includes(apiKey));
    assert.ok(!JSON.stringify(service.logLines).includes(password));
    const [entry] = await audited('CREDENTIALS_ROTATED');
    assert.match(entry?.actor ?? '', /^console \(Ada, by link\)$/);
    assert.ok(!JSON.stringify(entry).includes(apiKey));
  });

  it('come as a file once, which no cache may keep', async () => {
    const answer = await rotate({ as: 'file' });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="sandbox.env"');
    const lines = answer.html.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^# sandbox credentials of .* \(mer_[0-9a-f]{24}\), made at /);
    const names = lines.slice(1).map((line) => line.split('=')[0]);
    assert.deepEqual(names, ['BASE_URL', 'AUTH_URL', 'API_USERNAME', 'API_PASSWORD', 'API_KEY']);
    assert.equal((await create(settingIn(answer.html, 'API_KEY'))).status, 201);
  });

  it('are not rotated again by the same form, which would end the keys in use', async () => {
    const { html } = await ada.get(`${path}/rotate`);
    const fields = { username: merchant.username, seen: hidden(html, 'seen'), overlap: '24' };
    assert.equal((await ada.post(`${path}/rotate`, fields)).status, 200);
    const again = await ada.post(`${path}/rotate`, fields);
    assert.equal(again.status, 409);
    assert.match(again.html, /were rotated meanwhile/);
    assert.equal((await audited('CREDENTIALS_ROTATED')).length, 1);
    assert.equal((await create(merchant.apiKey)).status, 201);
  });

  for (const overlap of ['', '-1', '721', '1.5', 'abc']) {
    it(`refuses an overlap of "${overlap}" hours in the form itself`, async () => {
      const answer = await rotate({ overlap });
      assert.equal(answer.status, 422);
      assert.match(answer.html, /Give a whole number from 0 to 720\./);
      assert.deepEqual(await audited('CREDENTIALS_ROTATED'), []);
    });
  }

  it('are revoked after a confirmation, and stop', async () => {
    const rotated = await rotate({ as: 'file' });
    const page = (await ada.get(path)).html;
    const [, old = ''] = [...page.matchAll(/revoke\?key&#61;([0-9a-f-]{36})/g)].map(
      (each) => each[1],
    );
    const asked = await ada.get(`${path}/revoke?key=${old}`);
    assert.match(asked.html, /Revoke the API key/);
    const done = await ada.post(`${path}/revoke`, { key: old });
    assert.equal(done.location, `${path}?done=revoked`);
    await service.advance(5);
    assert.equal((await create(merchant.apiKey)).status, 401);
    assert.equal((await create(settingIn(rotated.html, 'API_KEY'))).status, 201);
    assert.deepEqual((await audited('API_KEY_REVOKED'))[0]?.details, { apiKeyId: old });
  });

  it('are created with the scopes that were chosen, once for each form', async () => {
    const { html } = await ada.get(`${path}/new`);
    const fields = { seen: hidden(html, 'seen'), scope: 'payment_request/read' };
    const created = await ada.post(`${path}/new`, fields);
    assert.equal(created.status, 200);
    assert.match(created.html, /API_PASSWORD/);
    assert.equal((await ada.post(`${path}/new`, fields)).status, 409);
    const none = await ada.post(`${path}/new`, { seen: '2' });
    assert.equal(none.status, 422);
    const [entry] = await audited('CREDENTIALS_CREATED');
    assert.deepEqual(entry?.details.scopes, ['payment_request/read']);
  });

  it('cannot be changed after ten minutes without another sign-in', async () => {
    await service.advance(600);
    const answer = await ada.post(`${path}/revoke`, { username: merchant.username });
    assert.match(answer.location ?? '', /^\/console\/sign-in\/again/);
    assert.equal((await ada.get(path)).status, 200);
  });
});
