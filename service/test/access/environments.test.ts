import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { createDeployment, type Deployment, type Process } from './start-access.ts';

describe('credentials of the other environment are unknown (contract §1)', () => {
  const sides: { deployment: Deployment; process: Process; merchant: OnboardedMerchant }[] = [];
  before(async () => {
    for (const environment of ['sandbox', 'production'] as const) {
      const deployment = await createDeployment(environment);
      const process = await deployment.startProcess();
      sides.push({ deployment, process, merchant: await deployment.onboard() });
    }
  });
  after(() => Promise.all(sides.map(({ deployment }) => deployment.stop())));

  for (const [from, to, name] of [
    [0, 1, 'sandbox on production'],
    [1, 0, 'production on sandbox'],
  ] as const) {
    it(name, async () => {
      const own = sides[from];
      const foreign = sides[to];
      assert.ok(own && foreign);
      const token = await own.process.token(own.merchant);
      const foreignToken = await foreign.process.token(foreign.merchant);
      assert.equal((await own.process.read(own.merchant.apiKey, token)).status, 200);

      const refused = await foreign.process.askToken(own.merchant);
      assert.deepEqual([refused.status, refused.json.error], [401, 'invalid_client']);
      assert.match(
        refused.json.error_description,
        new RegExp(` the ${name.split(' ').at(-1)} env`),
      );
      const key = await foreign.process.read(own.merchant.apiKey, foreignToken);
      assert.deepEqual([key.status, key.json.code], [401, 'API_KEY_INVALID']);
      const withToken = await foreign.process.read(foreign.merchant.apiKey, token);
      assert.deepEqual([withToken.status, withToken.json.code], [401, 'ACCESS_TOKEN_INVALID']);
    });
  }

  it('each environment’s secrets begin with its own prefix', () => {
    for (const [index, prefix] of ['sbx_', 'prd_'].entries()) {
      const merchant = sides[index]?.merchant;
      assert.ok(merchant);
      const { username, password, apiKey, listener } = merchant;
      for (const text of [username, password, apiKey, listener.username, listener.password]) {
        assert.ok(text.startsWith(prefix), text);
      }
      for (const secret of [password, apiKey, listener.password]) {
        assert.match(secret, /^.{4}[A-Za-z0-9_-]{43}$/);
      }
      assert.match(listener.signingSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    }
  });
});
