import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rawCall } from '../support/network/raw-call.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

async function askAs(host: string | null, version = '1.1') {
  const line = host === null ? '' : `Host: ${host}\r\n`;
  const bytes = `GET /metrics HTTP/${version}\r\n${line}Connection: close\r\n\r\n`;
  const [answer] = await rawCall(service.opsUrl, bytes);
  assert.ok(answer);
  return answer;
}

describe('the operators’ listener', () => {
  for (const host of [
    '127.0.0.1',
    '127.0.0.1:4011',
    '127.9.9.9',
    '[::1]:4011',
    'localhost:4011',
    'LOCALHOST',
    'service.localhost',
    '10.244.1.17:4011',
    '[fd00::17]:4011',
    'payreq:4011',
  ]) {
    it(`answers calls to ${host}`, async () => {
      assert.equal((await askAs(host)).status, 200);
    });
  }

  it('answers a load balancer that sends HTTP/1.0 without a Host', async () => {
    assert.equal((await askAs(null, '1.0')).status, 200);
  });

  for (const host of [
    'evil.example',
    'evil.example:4011',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '127.0.0.1:80@evil.example',
    '[evil.example]',
    'evil.example.',
    '',
  ]) {
    it(`answers 421 to calls to "${host}", as a rebound name would make`, async () => {
      const answer = await askAs(host);
      assert.equal(answer.status, 421, answer.text);
      assert.equal(answer.json.code, 'MISDIRECTED_REQUEST');
    });
  }
});

describe('the public listener', () => {
  it('makes browsers keep to https', async () => {
    for (const path of ['/pay/Unknown000000000', '/problems', '/openapi.json', '/v1/none']) {
      const answer = await service.call('GET', path);
      assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000', path);
    }
    const ops = await fetch(`${service.opsUrl}/health/live`);
    assert.equal(ops.headers.get('strict-transport-security'), null);
  });

  it('makes no promise of https where its address has none', async () => {
    const settings = {
      PUBLIC_API_URL: 'http://localhost:4010/v1',
      PUBLIC_AUTH_URL: 'http://localhost:4010/oauth2/token',
      PAYMENT_LINK_BASE: 'http://localhost:4010/pay',
    };
    const local = await startTestService({ settings });
    const answer = await local.call('GET', '/problems');
    assert.equal(answer.headers.get('strict-transport-security'), null);
    await local.stop();
  });

  it('answers an unknown route before it looks at the body', async () => {
    const json = { 'content-type': 'application/json' };
    for (const [headers, body] of [
      [json, '{"broken'],
      [json, `"${'a'.repeat(70_000)}"`],
      [{ 'content-type': 'text/plain' }, 'text'],
      [{ ...json, 'content-encoding': 'gzip' }, '{}'],
    ] as const) {
      const answer = await service.call('POST', '/v1/nope', { headers, body });
      assert.equal(answer.status, 404, answer.text);
      assert.equal(answer.json.code, 'ROUTE_NOT_FOUND');
    }
  });
});
