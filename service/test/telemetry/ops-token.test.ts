import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/service/service.ts';

describe('OPS_TOKEN', () => {
  const token = randomBytes(32).toString('base64');
  let service: TestService;
  before(async () => {
    service = await startTestService({ settings: { OPS_TOKEN: token } });
  });
  after(() => service.stop());

  it('is asked for by the metrics of a running service', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${service.opsUrl}/metrics`, { headers }).then(({ status }) => status);
    assert.equal(await ask({}), 401);
    assert.equal(await ask({ authorization: `Bearer ${token.slice(1)}` }), 401);
    assert.equal(await ask({ authorization: `Bearer ${token}` }), 200);
  });

  it('is not asked for by its probes', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      assert.equal((await fetch(`${service.opsUrl}${path}`)).status, 200, path);
    }
  });
});
