import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createCredentials } from '#merchants/credentials/create.ts';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { suspendMerchant } from '#merchants/suspend-merchant.ts';
import { type Answer, createDeployment, type Deployment, type Process } from './start-access.ts';

const PLAIN = 'Bearer realm="payment-requests"';
const INVALID = `${PLAIN}, error="invalid_token", error_description="The access token is not valid"`;

describe('the check of a merchant’s call (contract §4)', () => {
  let deployment: Deployment;
  let process: Process;
  let merchant: OnboardedMerchant;
  let other: OnboardedMerchant;
  let suspended: OnboardedMerchant;
  let token: string;
  let tokenOfSuspended: string;
  before(async () => {
    deployment = await createDeployment();
    process = await deployment.startProcess();
    merchant = await deployment.onboard();
    other = await deployment.onboard('Another shop');
    suspended = await deployment.onboard('Suspended shop');
    token = await process.token(merchant);
    tokenOfSuspended = await process.token(suspended);
    const { database, clock, actor } = deployment;
    await suspendMerchant({ db: database.db, clock, actor }, suspended.merchantId);
    clock.advance(2_000);
  });
  after(() => deployment.stop());

  const call = (headers: Record<string, string | string[]>, path = '/v1/read', method = 'GET') =>
    process.call(path, { method, headers });
  const both = (apiKey: string | string[], accessToken: string) => ({
    'x-api-key': apiKey,
    authorization: `Bearer ${accessToken}`,
  });

  function assertRefused(answer: Answer, status: number, code: string, challenge?: string): void {
    assert.equal(answer.json?.code, code, answer.text);
    assert.equal(answer.status, status);
    assert.equal(answer.headers['www-authenticate'], challenge);
    assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/);
  }

  it('lets a merchant with key and token pass, and says who it is', async () => {
    const answer = await process.read(merchant.apiKey, token);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, { merchantId: merchant.merchantId });
  });

  it('asks for the API key before it looks at the token', async () => {
    assertRefused(await call({}), 401, 'API_KEY_MISSING', PLAIN);
    assertRefused(await call({ 'x-api-key': '' }), 401, 'API_KEY_MISSING', PLAIN);
    assertRefused(await call({ authorization: 'Bearer junk' }), 401, 'API_KEY_MISSING', PLAIN);
    assertRefused(await call(both('junk', 'junk')), 401, 'API_KEY_INVALID', PLAIN);
  });

  it('refuses API keys that are not one key of ours', async () => {
    const { apiKey, password } = merchant;
    const shifted = apiKey.slice(0, -1) + (apiKey.endsWith('A') ? 'B' : 'A');
    const changed = apiKey.replace(/^sbx_./, apiKey[4] === 'x' ? 'sbx_y' : 'sbx_x');
    const wrong = [
      shifted,
      changed,
      password,
      `${apiKey}x`,
      apiKey.slice(0, -1),
      `${apiKey},`,
      'é',
    ];
    for (const key of [...wrong, apiKey.replace('sbx_', 'prd_'), "' OR 1=1 --"]) {
      assertRefused(await call(both(key, token)), 401, 'API_KEY_INVALID', PLAIN);
    }
  });

  it('refuses repeated x-api-key headers, even two right ones', async () => {
    const { apiKey } = merchant;
    for (const keys of [
      [apiKey, apiKey],
      [apiKey, 'junk'],
      ['junk', apiKey],
    ]) {
      assertRefused(await call(both(keys, token)), 401, 'API_KEY_INVALID', PLAIN);
    }
  });

  it('refuses repeated Authorization headers, even two right ones', async () => {
    const authorization = [`Bearer ${token}`, `Bearer ${token}`];
    const answer = await call({ 'x-api-key': merchant.apiKey, authorization });
    assertRefused(answer, 401, 'ACCESS_TOKEN_INVALID', INVALID);
  });

  it('asks for a token in the Bearer scheme', async () => {
    const key = { 'x-api-key': merchant.apiKey };
    assertRefused(await call(key), 401, 'ACCESS_TOKEN_MISSING', PLAIN);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      token,
      `Basic ${token}`,
      `JWT ${token}`,
    ]) {
      assertRefused(await call({ ...key, authorization }), 401, 'ACCESS_TOKEN_MISSING', PLAIN);
    }
    for (const scheme of ['bearer ', 'BEARER   ']) {
      assert.equal((await call({ ...key, authorization: scheme + token })).status, 200, scheme);
    }
  });

  it('refuses what is no token', async () => {
    for (const junk of ['x', 'a.b.c', '..', `${token}.x`, `${token} ${token}`, 'x'.repeat(5_000)]) {
      const answer = await call(both(merchant.apiKey, junk));
      assertRefused(answer, 401, 'ACCESS_TOKEN_INVALID', INVALID);
    }
  });

  it('refuses a token in the query or the body', async () => {
    const key = { 'x-api-key': merchant.apiKey };
    const answer = await call(key, `/v1/read?access_token=${token}`);
    assertRefused(answer, 401, 'ACCESS_TOKEN_MISSING', PLAIN);
  });

  it('refuses key and token of two merchants, before it tells anything else', async () => {
    assertRefused(await call(both(other.apiKey, token)), 403, 'CREDENTIAL_MISMATCH');
    assertRefused(await call(both(suspended.apiKey, token)), 403, 'CREDENTIAL_MISMATCH');
    assertRefused(await call(both(merchant.apiKey, tokenOfSuspended)), 403, 'CREDENTIAL_MISMATCH');
  });

  it('refuses a suspended merchant', async () => {
    const answer = await call(both(suspended.apiKey, tokenOfSuspended));
    assertRefused(answer, 403, 'MERCHANT_SUSPENDED');
  });

  it('refuses a token of the wrong scope, and says so in the challenge', async () => {
    const reading = await process.token(merchant, 'payment_request/read');
    const writing = await process.token(merchant, 'payment_request/write event/read');
    const challenge = (scope: string) => `${PLAIN}, error="insufficient_scope", scope="${scope}"`;
    const { apiKey } = merchant;
    assert.equal((await call(both(apiKey, reading))).status, 200);
    assert.equal((await call(both(apiKey, writing), '/v1/write', 'POST')).status, 200);
    const unread = await call(both(apiKey, writing));
    assertRefused(unread, 403, 'INSUFFICIENT_SCOPE', challenge('payment_request/read'));
    assert.match(unread.json.detail, /does not have the scope payment_request\/read\./);
    const refused = await call(both(apiKey, reading), '/v1/write', 'POST');
    assertRefused(refused, 403, 'INSUFFICIENT_SCOPE', challenge('payment_request/write'));
    assert.match(refused.json.detail, /does not have the scope payment_request\/write\./);
  });

  it('accepts either of two scopes where a call names two', async () => {
    const { apiKey } = merchant;
    for (const scope of ['payment_request/read', 'event/read']) {
      const answer = await call(both(apiKey, await process.token(merchant, scope)), '/v1/either');
      assert.equal(answer.status, 200, `${scope}: ${answer.text}`);
    }
    const writing = await process.token(merchant, 'payment_request/write');
    const refused = await call(both(apiKey, writing), '/v1/either');
    const challenge = 'error="insufficient_scope", scope="payment_request/read event/read"';
    assertRefused(refused, 403, 'INSUFFICIENT_SCOPE', `${PLAIN}, ${challenge}`);
    assert.match(refused.json.detail, /the scope payment_request\/read or event\/read\./);
  });

  it('refuses before it reads a body of any type', async () => {
    const answer = await process.call('/v1/write', {
      method: 'POST',
      headers: { 'content-type': 'application/x-junk' },
      body: 'junk',
    });
    assertRefused(answer, 401, 'API_KEY_MISSING', PLAIN);
  });

  it('keeps a narrower credential to its scopes', async () => {
    const { database, ...needs } = deployment;
    const narrow = await createCredentials({ ...needs, db: database.db }, merchant.merchantId, [
      'payment_request/read',
      'event/read',
    ]);
    const asked = await process.askToken(narrow);
    assert.equal(asked.json.scope, 'payment_request/read event/read');
    const reading = asked.json.access_token;
    assert.equal((await call(both(merchant.apiKey, reading))).status, 200);
    assert.equal((await call(both(merchant.apiKey, reading), '/v1/write', 'POST')).status, 403);
    for (const scope of ['payment_request/all', 'payment_request/write', 'webhook/manage']) {
      const wide = await process.askToken(narrow, { scope });
      assert.deepEqual([wide.status, wide.json.error], [400, 'invalid_scope']);
      assert.match(wide.json.error_description, /^These credentials do not have every scope/);
    }
    const within = await process.askToken(narrow, { scope: 'event/read' });
    assert.deepEqual(Object.keys(within.json), ['access_token', 'expires_in', 'token_type']);
  });

  it('costs a merchant in use no statement, beside the note of its key’s use', async () => {
    const names: string[] = [];
    let notes = 0;
    const { db } = deployment.database;
    const counting = await deployment.startProcess({
      db: {
        ...db,
        query: (statement, values) => {
          // Written beside the calls, once an hour.
          if (statement.name === 'credential-uses-save') notes += 1;
          else names.push(statement.name);
          return db.query(statement, values);
        },
      },
    });
    assert.equal((await counting.read(merchant.apiKey, token)).status, 200);
    const first = names.splice(0).sort();
    assert.deepEqual(first, [
      'access-find-api-key',
      'access-is-credential-live',
      'signing-key-list',
    ]);
    for (let call = 0; call < 20; call++) await counting.read(merchant.apiKey, token);
    assert.deepEqual(names, []);
    deployment.clock.advance(2_000);
    await counting.read(merchant.apiKey, token);
    assert.deepEqual(names.sort(), first);
    assert.equal(notes, 1);
  });
});
