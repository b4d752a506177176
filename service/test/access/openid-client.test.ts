import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'openid-client';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { createDeployment, type Deployment, type Process } from './start-access.ts';

describe('public OAuth libraries', () => {
  let deployment: Deployment;
  let process: Process;
  let merchant: OnboardedMerchant;
  before(async () => {
    deployment = await createDeployment();
    process = await deployment.startProcess();
    merchant = await deployment.onboard();
  });
  after(() => deployment.stop());

  const configure = (authentication: oauth.ClientAuth) => {
    const issuer = deployment.publicAuthUrl;
    const server = { issuer, token_endpoint: `${process.origin}/oauth2/token` };
    const config = new oauth.Configuration(server, merchant.username, undefined, authentication);
    oauth.allowInsecureRequests(config);
    return config;
  };

  for (const [name, method] of [
    ['Basic, percent-encoded as RFC 6749 has it', oauth.ClientSecretBasic],
    ['fields of the body', oauth.ClientSecretPost],
  ] as const) {
    it(`buy a token with the client_credentials grant by ${name}`, async () => {
      const config = configure(method(merchant.password));
      const answer = await oauth.clientCredentialsGrant(config, { scope: 'payment_request/all' });
      assert.equal(answer.expires_in, 3600);
      assert.equal(answer.token_type, 'bearer');
      const read = await process.read(merchant.apiKey, answer.access_token);
      assert.equal(read.status, 200);
    });
  }

  it('read our refusals as OAuth errors', async () => {
    const wrong = configure(oauth.ClientSecretPost('wrong'));
    await assert.rejects(oauth.clientCredentialsGrant(wrong), (error: Error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
      assert.equal(error.cause[0]?.scheme, 'basic');
      return true;
    });
    const right = configure(oauth.ClientSecretBasic(merchant.password));
    await assert.rejects(
      oauth.clientCredentialsGrant(right, { scope: 'nothing' }),
      (error: Error) => {
        assert.ok(error instanceof oauth.ResponseBodyError);
        assert.deepEqual([error.status, error.error], [400, 'invalid_scope']);
        return true;
      },
    );
  });

  it('verify our tokens with the published key set', async () => {
    const token = await process.token(merchant);
    const keys = createRemoteJWKSet(new URL(`${process.origin}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(token, keys, {
      issuer: deployment.publicAuthUrl,
      audience: deployment.publicApiUrl,
      typ: 'at+jwt',
      currentDate: deployment.clock.now(),
    });
    assert.equal(payload.sub, merchant.merchantId);
  });
});
