import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { sampleOf } from '../support/metric-samples.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService({ settings: { TRUSTED_PROXIES: '127.0.0.1/32' } });
  merchant = await service.createMerchant();
});
after(() => service.stop());
beforeEach(() => {
  service.logLines.length = 0;
});

async function requestLine(): Promise<Record<string, unknown>> {
  const find = () => service.logLines.find(({ msg }) => msg === 'request');
  await eventually(() => find() !== undefined);
  return find() ?? {};
}

function askToken(username: string, password: string, from: string) {
  return service.call('POST', '/oauth2/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': from,
    },
    body: 'grant_type=client_credentials',
  });
}

async function refused(call: string, reason: string): Promise<number> {
  const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
  return sampleOf(text, `sign_ins_refused_total{call="${call}",reason="${reason}"}`) ?? Number.NaN;
}

describe('a refused sign-in', () => {
  it('is logged with its source and the username that exists, and counted', async () => {
    const before = await refused('token', 'INVALID_CLIENT');
    const answer = await askToken(merchant.username, 'a-guess', '203.0.113.9');
    assert.equal(answer.status, 401);
    const line = await requestLine();
    assert.equal(line.sourceAddress, '203.0.113.9');
    assert.equal(line.username, merchant.username);
    assert.equal(line.merchantId, merchant.merchantId);
    assert.equal(await refused('token', 'INVALID_CLIENT'), before + 1);
  });

  it('is logged without a username that does not exist: it may be a password', async () => {
    assert.equal((await askToken('my-secret-password', 'x', '203.0.113.9')).status, 401);
    const line = await requestLine();
    assert.equal(line.sourceAddress, '203.0.113.9');
    assert.equal(line.username, undefined);
    assert.doesNotMatch(JSON.stringify(service.logLines), /my-secret-password/);
  });

  it('with an IPv6 address is logged with its network', async () => {
    await askToken('nobody', 'x', '2001:db8:1:2:3:4:5:6');
    assert.equal((await requestLine()).sourceAddress, '2001:db8:1:2::/64');
  });

  it('is logged with the source that the nearest proxies wrote, not with an invented one', async () => {
    await askToken('nobody', 'x', `${'10.0.0.1, '.repeat(1_000)}203.0.113.9`);
    assert.equal((await requestLine()).sourceAddress, '203.0.113.9');
    service.logLines.length = 0;
    // A thousand characters are read, and all of these addresses are proxies.
    await askToken('nobody', 'x', `198.51.100.7, ${'127.0.0.1, '.repeat(100)}127.0.0.1`);
    assert.equal((await requestLine()).sourceAddress, '127.0.0.1');
  });

  it('with a known API key names its merchant for every fault of the token', async () => {
    const headers = { 'x-api-key': merchant.apiKey, authorization: 'Bearer x.y.z' };
    assert.equal((await service.call('GET', '/v1/payment-requests', { headers })).status, 401);
    const line = await requestLine();
    assert.equal(line.merchantId, merchant.merchantId);
    assert.equal(line.problemCode, 'ACCESS_TOKEN_INVALID');
    assert.equal(line.sourceAddress, '127.0.0.1');
    assert.ok((await refused('api', 'ACCESS_TOKEN_INVALID')) >= 1);
  });

  it('with a revoked API key names the merchant whose key it was', async () => {
    const leaked = await service.createMerchant();
    await service.database.sql('UPDATE api_keys SET revoked_at = now() WHERE merchant_id = $1', [
      leaked.merchantId,
    ]);
    service.logLines.length = 0;
    const answer = await service.call('GET', '/v1/payment-requests', { headers: leaked.headers });
    assert.equal(answer.status, 401);
    assert.equal(answer.json.code, 'API_KEY_INVALID');
    assert.equal((await requestLine()).merchantId, leaked.merchantId);
  });

  it('with an API key that does not exist names nobody', async () => {
    const headers = { ...merchant.headers, 'x-api-key': `${merchant.apiKey.slice(0, -3)}AAA` };
    assert.equal((await service.call('GET', '/v1/payment-requests', { headers })).status, 401);
    const line = await requestLine();
    assert.equal(line.merchantId, undefined);
    assert.equal(line.sourceAddress, '127.0.0.1');
  });
});

describe('a call that is let in', () => {
  it('is logged without its source', async () => {
    const { headers } = merchant;
    assert.equal((await service.call('GET', '/v1/payment-requests', { headers })).status, 200);
    assert.equal((await requestLine()).sourceAddress, undefined);
  });

  it('is logged with the payment request that it is about', async () => {
    const { headers } = merchant;
    const body = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
    const created = await service.call('POST', '/v1/payment-requests', { headers, body });
    const { id, paymentLink } = created.json;
    const path = `/v1/payment-requests/${id}`;
    await service.call('GET', path, { headers });
    await service.call('PATCH', path, { headers, body: { invoiceNumber: 'A' } });
    await service.call('GET', `${path}/timeline`, { headers });
    await fetch(`${service.url}${new URL(paymentLink).pathname}`);
    await service.call('POST', `${path}/cancellation`, { headers });
    const lines = () => service.logLines.filter(({ msg }) => msg === 'request');
    await eventually(() => lines().length === 6);
    for (const { route, paymentRequestId } of lines())
      assert.equal(paymentRequestId, id, `${route}`);
  });

  it('is logged without an id that no payment request can have', async () => {
    await fetch(`${service.url}/v1/payment-requests/ada@example.com`, {
      headers: merchant.headers,
    });
    assert.equal((await requestLine()).paymentRequestId, undefined);
  });
});

describe('the operators’ listener', () => {
  it('counts none of its answers as calls, and logs a change of readiness once', async () => {
    // A loop that misses its table would log that.
    const real = await startTestService({ roles: ['api'] });
    try {
      assert.equal((await fetch(`${real.opsUrl}/health/ready`)).status, 200);
      await real.database.sql('ALTER TABLE deployment RENAME TO deployment_away');
      for (let probe = 0; probe < 3; probe++) {
        assert.equal((await fetch(`${real.opsUrl}/health/ready`)).status, 503);
      }
      await real.database.sql('ALTER TABLE deployment_away RENAME TO deployment');
      assert.equal((await fetch(`${real.opsUrl}/health/ready`)).status, 200);
      await fetch(`${real.opsUrl}/nothing-here`);
      const text = await (await fetch(`${real.opsUrl}/metrics`)).text();
      assert.doesNotMatch(text, /^http_request_duration_seconds_count/m);
      const readiness = real.logLines.filter(({ msg }) => /ready/.test(`${msg}`));
      assert.deepEqual(
        readiness.map(({ level, msg }) => `${level} ${msg}`),
        ['warn service not ready', 'info service ready again'],
      );
      assert.deepEqual(
        real.logLines.filter(({ level }) => level === 'error'),
        [],
      );
    } finally {
      await real.stop();
    }
  });
});
