import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { AccessTokenError, createClient, ProblemError } from '@payment-requests/sdk';
import { createFakeService, json, networkFault, problem, TOKEN_SECONDS } from './fake-service.ts';

const EARLY_SECONDS = TOKEN_SECONDS * 0.9;

function tokensOf(service: ReturnType<typeof createFakeService>): (string | null)[] {
  return service.calls.map(({ headers }) => headers.get('authorization'));
}

describe('the access token', () => {
  it('is requested with Basic credentials in UTF-8 and the form of the specification', async () => {
    const service = createFakeService();
    await createClient(service.options).getPaymentRequest('1');
    const [call] = service.tokenCalls;
    assert.equal(call?.method, 'POST');
    const basic = Buffer.from('ürsula:prd_secret_password').toString('base64');
    assert.equal(call?.headers.get('authorization'), `Basic ${basic}`);
    assert.equal(call?.headers.get('content-type'), 'application/x-www-form-urlencoded');
    assert.equal(call?.body, 'grant_type=client_credentials&scope=payment_request%2Fall');
    assert.equal(service.calls[0]?.headers.get('authorization'), 'Bearer token-1');
    assert.equal(service.calls[0]?.headers.get('x-api-key'), 'prd_secret_key');
  });

  it('is requested once for fifty concurrent calls and kept for later calls', async () => {
    const service = createFakeService();
    const client = createClient(service.options);
    await Promise.all(Array.from({ length: 50 }, () => client.getPaymentRequest('1')));
    service.clock.advance(EARLY_SECONDS - 1);
    await client.getPaymentRequest('1');
    assert.equal(service.tokenCalls.length, 1);
    assert.equal(service.calls.length, 51);
  });

  it('is renewed early and once, while the old token is still used', async () => {
    const service = createFakeService();
    const client = createClient(service.options);
    await client.getPaymentRequest('1');
    service.clock.advance(EARLY_SECONDS + 1);
    await Promise.all([client.getPaymentRequest('1'), client.getPaymentRequest('1')]);
    await client.getPaymentRequest('1');
    assert.equal(service.tokenCalls.length, 2);
    const [, second, third, last] = tokensOf(service);
    assert.deepEqual([second, third, last], ['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  it('stays in use until its end while its renewal fails', async () => {
    const service = createFakeService();
    const client = createClient({ ...service.options, maxRetries: 0 });
    await client.getPaymentRequest('1');
    service.clock.advance(EARLY_SECONDS + 1);
    service.replyToTokenCall(networkFault(), problem(500, 'INTERNAL_ERROR'));
    for (const _ of [1, 2]) {
      await client.getPaymentRequest('1');
      await turn();
    }
    assert.deepEqual(tokensOf(service), Array(3).fill('Bearer token-1'));
    service.clock.advance(TOKEN_SECONDS - EARLY_SECONDS);
    await client.getPaymentRequest('1');
    assert.equal(tokensOf(service).at(-1), 'Bearer token-2');
  });

  it('is replaced once when the service refuses it, and the call is repeated', async () => {
    const service = createFakeService();
    const client = createClient(service.options);
    service.reply(problem(401, 'ACCESS_TOKEN_EXPIRED'));
    assert.deepEqual(await client.getPaymentRequest('1'), { id: '1' });
    assert.deepEqual(tokensOf(service), ['Bearer token-1', 'Bearer token-2']);
    service.reply(problem(401, 'ACCESS_TOKEN_INVALID'), problem(401, 'ACCESS_TOKEN_INVALID'));
    await assert.rejects(client.getPaymentRequest('1'), { code: 'ACCESS_TOKEN_INVALID' });
    assert.equal(service.calls.length, 4);
  });

  it('is not renewed because of a wrong API key', async () => {
    const service = createFakeService();
    service.reply(problem(401, 'API_KEY_INVALID'));
    const reading = createClient(service.options).getPaymentRequest('1');
    await assert.rejects(reading, { code: 'API_KEY_INVALID', status: 401 });
    assert.equal(service.tokenCalls.length, 1);
  });

  it('still reaches the other waiting calls when one call is aborted', async () => {
    const service = createFakeService();
    const client = createClient(service.options);
    const giveUp = new AbortController();
    const first = client.getPaymentRequest('1', { signal: giveUp.signal });
    const second = client.getPaymentRequest('1');
    giveUp.abort(new Error('enough'));
    await assert.rejects(first, { message: 'enough' });
    assert.deepEqual(await second, { id: '1' });
    assert.equal(service.tokenCalls.length, 1);
  });

  it('reports wrong credentials by the code of RFC 6749 and never shows them', async () => {
    const service = createFakeService();
    service.replyToTokenCall(json(401, { error: 'invalid_client' }, { 'x-request-id': 'r-1' }));
    const error = await createClient(service.options)
      .getPaymentRequest('1')
      .catch((thrown) => thrown);
    assert.ok(error instanceof AccessTokenError);
    assert.equal(error.code, 'invalid_client');
    assert.equal(error.status, 401);
    assert.equal(error.requestId, 'r-1');
    assert.ok(!`${error.stack}${JSON.stringify(error)}`.includes('secret'));
    assert.equal(service.tokenCalls.length, 1);
  });

  it('reports that credentials belong to the other environment, by their prefix', async () => {
    for (const [prefix, own, environment] of [
      ['sbx_', 'sandbox', 'production'],
      ['prd_', 'production', 'sandbox'],
    ] as const) {
      const service = createFakeService();
      const description = `No valid username of the ${environment} environment was sent.`;
      const refusal = { error: 'invalid_client', error_description: description };
      service.replyToTokenCall(json(401, refusal));
      const options = { ...service.options, username: `${prefix}a`, apiKey: `${prefix}b` };
      const error = await createClient(options)
        .getPaymentRequest('1')
        .catch((thrown) => thrown);
      assert.ok(error instanceof AccessTokenError);
      assert.equal(error.credentialEnvironment, own);
      assert.ok(error.message.includes(description), error.message);
      assert.ok(error.message.includes(`begins with ${prefix}`), error.message);
      assert.ok(error.message.includes(`this service is ${environment}.`), error.message);
      assert.equal(error.serviceEnvironment, environment);
    }
  });

  it('reports only the refusal when the credentials are of this environment', async () => {
    const service = createFakeService();
    const description = 'No valid username of the sandbox environment was sent.';
    service.replyToTokenCall(
      json(401, { error: 'invalid_client', error_description: description }),
      json(401, { error: 'invalid_client' }),
    );
    const options = { ...service.options, username: 'sbx_a', apiKey: 'sbx_b' };
    const client = createClient(options);
    const refused = 'The token call was refused with 401 invalid_client.';
    await assert.rejects(client.getPaymentRequest('1'), { message: `${refused} ${description}` });
    await assert.rejects(client.getPaymentRequest('1'), {
      message: /is a credential of sandbox\. Check that authUrl is the URL of sandbox\./,
    });
  });

  it('reports no environment for credentials of another form', async () => {
    const service = createFakeService();
    service.replyToTokenCall(json(401, { error: 'invalid_client' }));
    const error = await createClient(service.options)
      .getPaymentRequest('1')
      .catch((thrown) => thrown);
    assert.equal(error.credentialEnvironment, undefined);
    assert.equal(error.message, 'The token call was refused with 401 invalid_client.');
  });

  it('is requested again after 429 and 503, and the error carries the last answer', async () => {
    const service = createFakeService();
    const busy = problem(429, 'RATE_LIMITED', { 'retry-after': '2' });
    service.replyToTokenCall(networkFault(), busy);
    const client = createClient(service.options);
    await client.getPaymentRequest('1');
    assert.equal(service.tokenCalls.length, 3);
    assert.ok((service.clock.sleeps[1] ?? 0) >= 2_000);

    const unavailable = createFakeService();
    unavailable.replyToTokenCall(
      ...Array.from({ length: 5 }, () => problem(503, 'TEMPORARILY_UNAVAILABLE')),
    );
    const failing = createClient(unavailable.options).getPaymentRequest('1');
    await assert.rejects(failing, ProblemError);
    assert.equal(unavailable.tokenCalls.length, 5);
  });

  it('rejects a token answer without a token or a lifetime', async () => {
    for (const body of [{}, { access_token: 'x' }, { access_token: 1, expires_in: 3600 }]) {
      const service = createFakeService();
      service.replyToTokenCall(json(200, body));
      const reading = createClient(service.options).getPaymentRequest('1');
      await assert.rejects(reading, { name: 'AccessTokenError', code: 'invalid_answer' });
    }
  });
});
