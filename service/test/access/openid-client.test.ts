import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'openid-client';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { SCOPES } from '#merchants/scopes.ts';
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

  for (const algorithm of ['oauth2', 'oidc'] as const) {
    it(`find the token call from the issuer alone, by the rules of ${algorithm}`, async () => {
      const { config, asked } = await discover(new URL(deployment.publicAuthUrl), algorithm);
      assert.equal(asked.length, 1);
      assert.equal(config.serverMetadata().issuer, deployment.publicAuthUrl);
      const answer = await oauth.clientCredentialsGrant(config);
      const read = await process.read(merchant.apiKey, answer.access_token);
      assert.equal(read.status, 200);
      const keys = createRemoteJWKSet(new URL(reached(config.serverMetadata().jwks_uri ?? '')));
      await jwtVerify(answer.access_token, keys, { currentDate: deployment.clock.now() });
    });
  }

  it('find the token call from the address that people try', async () => {
    const address = new URL('/.well-known/oauth-authorization-server', deployment.publicAuthUrl);
    const { config } = await discover(address, 'oauth2');
    assert.equal((await oauth.clientCredentialsGrant(config)).expires_in, 3600);
  });

  it('learn what the token call takes, and that nobody signs in there', async () => {
    const { json, headers } = await process.call('/.well-known/oauth-authorization-server');
    assert.deepEqual(json, {
      issuer: deployment.publicAuthUrl,
      token_endpoint: deployment.publicAuthUrl,
      jwks_uri: 'http://localhost:4010/.well-known/jwks.json',
      scopes_supported: [...SCOPES],
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      service_documentation: 'http://localhost:4010/docs',
    });
    assert.equal(headers['cache-control'], 'public, max-age=60');
  });

  /** The public address of the process under test. */
  const reached = (url: string | URL) =>
    String(url).replace(new URL(deployment.publicAuthUrl).origin, process.origin);

  async function discover(server: URL, algorithm: 'oauth2' | 'oidc') {
    const asked: string[] = [];
    const { username, password } = merchant;
    const config = await oauth.discovery(server, username, password, undefined, {
      algorithm,
      execute: [oauth.allowInsecureRequests],
      [oauth.customFetch]: (url, options) => {
        asked.push(url);
        return fetch(reached(url), options as RequestInit);
      },
    });
    return { config, asked: [...asked] };
  }

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
