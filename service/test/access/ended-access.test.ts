import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createCredentials } from '#merchants/credentials/create.ts';
import { revokeCredentials } from '#merchants/credentials/revoke.ts';
import { rotateCredentials } from '#merchants/credentials/rotate.ts';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { resumeMerchant, suspendMerchant } from '#merchants/suspend-merchant.ts';
import { createDeployment, type Deployment, type Process } from './start-access.ts';

/** Contract §3: ended access ends within 5 s in every process. */
const HOLDS_WITHIN_MS = 4_999;
const HOUR_MS = 3_600_000;

describe('the end of access (contract §3)', () => {
  let deployment: Deployment;
  let one: Process;
  let two: Process;
  let merchant: OnboardedMerchant;
  let token: string;
  before(async () => {
    deployment = await createDeployment();
    one = await deployment.startProcess();
    two = await deployment.startProcess();
  });
  beforeEach(async () => {
    merchant = await deployment.onboard();
    token = await one.token(merchant);
    // Both processes know merchant, credential and token before anything ends.
    assert.deepEqual(await codes(), ['OK', 'OK']);
  });
  after(() => deployment.stop());

  const needs = () => ({ ...deployment, db: deployment.database.db });
  const codes = (apiKey = merchant.apiKey, accessToken = token) =>
    Promise.all(
      [one, two].map(async (process) => {
        const answer = await process.read(apiKey, accessToken);
        return answer.status === 200 ? 'OK' : answer.json.code;
      }),
    );
  const mayHaveToken = async (client: { username: string; password: string }) =>
    (await two.askToken(client)).status === 200;
  const pass = (delayMs: number) => deployment.clock.advance(delayMs);
  const rotate = (overlapHours = 24) =>
    rotateCredentials(needs(), { merchantId: merchant.merchantId, overlapHours });

  it('a token ends after its hour', async () => {
    pass(HOUR_MS - 1_000);
    assert.deepEqual(await codes(), ['OK', 'OK']);
    pass(1_000);
    assert.deepEqual(await codes(), ['ACCESS_TOKEN_EXPIRED', 'ACCESS_TOKEN_EXPIRED']);
    assert.deepEqual(await codes(), ['ACCESS_TOKEN_EXPIRED', 'ACCESS_TOKEN_EXPIRED']);
  });

  it('a revoked username buys no token, and those it bought end', async () => {
    const { merchantId, username } = merchant;
    const revoked = await revokeCredentials(needs(), { merchantId, what: { username } });
    assert.deepEqual(revoked, { merchantId, usernames: [username], apiKeyIds: [] });
    assert.equal(await mayHaveToken(merchant), false);
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(), ['ACCESS_TOKEN_INVALID', 'ACCESS_TOKEN_INVALID']);
  });

  it('a username that is not revoked goes on beside one that is', async () => {
    const { merchantId, username } = merchant;
    const second = await createCredentials(needs(), merchantId, ['payment_request/all']);
    assert.equal(second.apiKey, null);
    const secondToken = await one.token(second);
    await revokeCredentials(needs(), { merchantId, what: { username } });
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(merchant.apiKey, secondToken), ['OK', 'OK']);
  });

  it('a revoked API key ends', async () => {
    const { merchantId } = merchant;
    const [key] = await deployment.database.sql<{ id: string }>(
      'SELECT id FROM api_keys WHERE merchant_id = $1',
      [merchantId],
    );
    const apiKeyId = String(key?.id);
    await revokeCredentials(needs(), { merchantId, what: { apiKeyId } });
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(), ['API_KEY_INVALID', 'API_KEY_INVALID']);
    assert.equal(await mayHaveToken(merchant), true);
  });

  it('a revoked API key and username stay refused while the process knows them', async () => {
    const { merchantId, username } = merchant;
    const second = await createCredentials(needs(), merchantId, ['payment_request/all']);
    await revokeCredentials(needs(), { merchantId, what: { username } });
    pass(HOLDS_WITHIN_MS);
    for (let calls = 0; calls < 3; calls += 1) {
      assert.deepEqual(await codes(), ['ACCESS_TOKEN_INVALID', 'ACCESS_TOKEN_INVALID']);
    }
    const secondToken = await one.token(second);
    assert.deepEqual(await codes(merchant.apiKey, secondToken), ['OK', 'OK']);
    const [key] = await deployment.database.sql<{ id: string }>(
      'SELECT id FROM api_keys WHERE merchant_id = $1',
      [merchantId],
    );
    await revokeCredentials(needs(), { merchantId, what: { apiKeyId: String(key?.id) } });
    pass(HOLDS_WITHIN_MS);
    for (let calls = 0; calls < 3; calls += 1) {
      const refused = await codes(merchant.apiKey, secondToken);
      assert.deepEqual(refused, ['API_KEY_INVALID', 'API_KEY_INVALID']);
    }
  });

  it('a revoked API key stays refused beside a live one of the same username', async () => {
    const { merchantId, apiKey } = merchant;
    const [key] = await deployment.database.sql<{ id: string }>(
      'SELECT id FROM api_keys WHERE merchant_id = $1',
      [merchantId],
    );
    const next = await rotate();
    await revokeCredentials(needs(), { merchantId, what: { apiKeyId: String(key?.id) } });
    pass(HOLDS_WITHIN_MS);
    for (let calls = 0; calls < 3; calls += 1) {
      // The processes then know that the token and its username are good.
      assert.deepEqual(await codes(next.apiKey), ['OK', 'OK']);
      assert.deepEqual(await codes(apiKey), ['API_KEY_INVALID', 'API_KEY_INVALID']);
    }
  });

  it('everything can be revoked at once, and new credentials made after it', async () => {
    const { merchantId } = merchant;
    await rotate();
    const revoked = await revokeCredentials(needs(), { merchantId, what: { all: true } });
    assert.deepEqual([revoked.usernames.length, revoked.apiKeyIds.length], [1, 2]);
    await assert.rejects(
      revokeCredentials(needs(), { merchantId, what: { all: true } }),
      /nothing live/,
    );
    await assert.rejects(rotate(), /payreq credentials create/);
    const fresh = await createCredentials(needs(), merchantId, ['payment_request/all']);
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(), ['API_KEY_INVALID', 'API_KEY_INVALID']);
    assert.deepEqual(await codes(String(fresh.apiKey), await one.token(fresh)), ['OK', 'OK']);
  });

  it('a suspension refuses tokens and calls until it is lifted', async () => {
    await suspendMerchant(needs(), merchant.merchantId);
    assert.equal(await mayHaveToken(merchant), false);
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(), ['MERCHANT_SUSPENDED', 'MERCHANT_SUSPENDED']);
    await resumeMerchant(needs(), merchant.merchantId);
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(merchant.apiKey, await one.token(merchant)), ['OK', 'OK']);
  });

  it('a suspension ends the tokens bought before it for good', async () => {
    pass(1_000);
    await suspendMerchant(needs(), merchant.merchantId);
    await resumeMerchant(needs(), merchant.merchantId);
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(), ['ACCESS_TOKEN_INVALID', 'ACCESS_TOKEN_INVALID']);
  });

  it('another merchant’s suspension touches nobody else', async () => {
    const other = await deployment.onboard('Another');
    await suspendMerchant(needs(), other.merchantId);
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(), ['OK', 'OK']);
  });

  it('a rotation leaves tokens, and the password and key before it for the overlap', async () => {
    const next = await rotate(24);
    assert.equal(next.username, merchant.username);
    assert.notEqual(next.password, merchant.password);
    assert.notEqual(next.apiKey, merchant.apiKey);
    assert.deepEqual([await mayHaveToken(merchant), await mayHaveToken(next)], [true, true]);
    assert.deepEqual(await codes(), ['OK', 'OK']);
    assert.deepEqual(await codes(next.apiKey), ['OK', 'OK']);

    pass(24 * HOUR_MS - 1);
    assert.deepEqual([await mayHaveToken(merchant), await mayHaveToken(next)], [true, true]);
    pass(1);
    assert.deepEqual([await mayHaveToken(merchant), await mayHaveToken(next)], [false, true]);
    const fresh = await one.token(next);
    assert.deepEqual(await codes(merchant.apiKey, fresh), ['API_KEY_INVALID', 'API_KEY_INVALID']);
    assert.deepEqual(await codes(next.apiKey, fresh), ['OK', 'OK']);
  });

  it('a rotation without overlap ends the password at once, not the tokens it bought', async () => {
    const next = await rotate(0);
    assert.deepEqual([await mayHaveToken(merchant), await mayHaveToken(next)], [false, true]);
    pass(HOLDS_WITHIN_MS);
    assert.deepEqual(await codes(next.apiKey, token), ['OK', 'OK']);
    assert.deepEqual(await codes(), ['API_KEY_INVALID', 'API_KEY_INVALID']);
  });

  it('at most two passwords and two API keys live at once', async () => {
    const second = await rotate();
    const third = await rotate();
    pass(HOLDS_WITHIN_MS);
    const passwords = await Promise.all([merchant, second, third].map(mayHaveToken));
    assert.deepEqual(passwords, [false, true, true]);
    assert.deepEqual(await codes(merchant.apiKey), ['API_KEY_INVALID', 'API_KEY_INVALID']);
    assert.deepEqual(await codes(second.apiKey), ['OK', 'OK']);
    assert.deepEqual(await codes(third.apiKey), ['OK', 'OK']);
  });

  it('two rotations at once leave two live passwords', async () => {
    const [left, right] = await Promise.all([rotate(), rotate()]);
    const live = await Promise.all([merchant, left, right].map(mayHaveToken));
    assert.deepEqual(live, [false, true, true]);
  });
});
