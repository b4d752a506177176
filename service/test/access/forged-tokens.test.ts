import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { createDeployment, type Deployment, type Process } from './start-access.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a forged or foreign token is refused (contract §3)', () => {
  let deployment: Deployment;
  let process: Process;
  let merchant: OnboardedMerchant;
  let token: string;
  let claims: JWTPayload;
  let keyId: string;
  /** The deployment's own key: what an insider, or a mistake of ours, could sign with. */
  let ourKey: KeyObject;
  before(async () => {
    deployment = await createDeployment();
    process = await deployment.startProcess();
    merchant = await deployment.onboard();
    token = await process.token(merchant);
    claims = decodeJwt(token);
    ({ keyId, privateKey: ourKey } = await process.access.signingKeys.signer());
  });
  after(() => deployment.stop());

  async function assertRefused(forged: string, code = 'ACCESS_TOKEN_INVALID'): Promise<void> {
    // Twice: what was refused once must not be remembered as good.
    for (let time = 0; time < 2; time++) {
      const answer = await process.read(merchant.apiKey, forged);
      assert.equal(answer.json.code, code, answer.text);
      assert.equal(answer.status, 401);
      assert.match(String(answer.headers['www-authenticate']), /^Bearer .*error="invalid_token"/);
    }
  }

  const sign = (
    header: Record<string, unknown> = {},
    changes: JWTPayload = {},
    key: KeyObject = ourKey,
  ) =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: keyId, ...header })
      .sign(key);

  it('while the same token signed rightly is accepted', async () => {
    assert.equal((await process.read(merchant.apiKey, await sign())).status, 200);
  });

  it('with alg none, signed or not', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const head = part({ alg, typ: 'at+jwt', kid: keyId });
      await assertRefused(`${head}.${part(claims)}.`);
      await assertRefused(`${head}.${part(claims)}.${token.split('.')[2]}`);
    }
  });

  it('with HS256 and the public key as the secret, in any spelling of the key', async () => {
    const [jwk] = (await process.call('/.well-known/jwks.json')).json.keys;
    const publicKey = await process.access.signingKeys.verifier(keyId);
    const secrets = [
      Buffer.from(jwk.x, 'base64url'),
      jwk.x,
      JSON.stringify(jwk),
      publicKey?.export({ type: 'spki', format: 'pem' }) ?? '',
      publicKey?.export({ type: 'spki', format: 'der' }) ?? '',
    ];
    for (const secret of secrets) {
      const input = `${part({ alg: 'HS256', typ: 'at+jwt', kid: keyId })}.${part(claims)}`;
      await assertRefused(
        `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`,
      );
    }
  });

  it('with a key of the forger’s own, under our kid, under its own, or brought along', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' });
    await assertRefused(await sign({}, {}, privateKey));
    await assertRefused(await sign({ kid: 'mine' }, {}, privateKey));
    await assertRefused(await sign({ kid: undefined }, {}, privateKey));
    await assertRefused(await sign({ jwk }, {}, privateKey));
    await assertRefused(await sign({ kid: undefined, jwk }, {}, privateKey));
    const jku = 'https://forger.example/jwks.json';
    await assertRefused(await sign({ kid: 'mine', jku }, {}, privateKey));
  });

  it('with another algorithm and any key', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    await assertRefused(await sign({ alg: 'RS256' }, {}, rsa));
    await assertRefused(await sign({ alg: 'ES256' }, {}, ec));
    await assertRefused(await sign({ alg: 'Ed25519' }));
  });

  it('with another kid over our signature', async () => {
    for (const kid of ['other', '', undefined, 7, null, '__proto__', `${keyId} `]) {
      await assertRefused(await sign({ kid }));
    }
  });

  it('with another type', async () => {
    for (const typ of ['JWT', 'jwt', 'id+jwt', 'logout+jwt', '', undefined]) {
      await assertRefused(await sign({ typ }));
    }
  });

  it('with a critical extension that we do not know', async () => {
    const [, body, signature] = (await sign()).split('.');
    const head = { alg: 'EdDSA', typ: 'at+jwt', kid: keyId, crit: ['exp'], exp: 1 };
    await assertRefused(`${part(head)}.${body}.${signature}`);
  });

  it('with another issuer or audience', async () => {
    for (const iss of ['http://localhost:4020/oauth2/token', 'http://localhost:4010', undefined]) {
      await assertRefused(await sign({}, { iss } as JWTPayload));
    }
    for (const aud of ['http://localhost:4020/v1', 'http://localhost:4010/v1/', undefined, []]) {
      await assertRefused(await sign({}, { aud } as JWTPayload));
    }
  });

  it('that lacks a claim, or has one of another type', async () => {
    for (const name of ['exp', 'iat', 'sub', 'jti', 'scope', 'client_id']) {
      await assertRefused(await sign({}, { [name]: undefined }));
      await assertRefused(await signRaw({ ...claims, [name]: { a: 1 } }));
    }
    await assertRefused(await signRaw({ ...claims, exp: '9999999999' }));
  });

  it('whose username does not exist', async () => {
    await assertRefused(await sign({}, { client_id: 'sbx_user_nobody' }));
  });

  it('that has expired, to the second', async () => {
    const nowSeconds = Math.floor(deployment.clock.now().getTime() / 1000);
    await assertRefused(await sign({}, { exp: nowSeconds }), 'ACCESS_TOKEN_EXPIRED');
    await assertRefused(await sign({}, { exp: nowSeconds - 1 }), 'ACCESS_TOKEN_EXPIRED');
    const last = await sign({}, { exp: nowSeconds + 1 });
    assert.equal((await process.read(merchant.apiKey, last)).status, 200);
  });

  it('that was issued in the future, or lives longer than an hour', async () => {
    const nowSeconds = Math.floor(deployment.clock.now().getTime() / 1000);
    await assertRefused(await sign({}, { iat: nowSeconds + 60, exp: nowSeconds + 120 }));
    await assertRefused(await sign({}, { iat: nowSeconds, exp: nowSeconds + 3_601 }));
    await assertRefused(await sign({}, { iat: 0, exp: nowSeconds + 60 }));
  });

  it('whose signature is spelt in another way', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(token.at(-1) ?? '');
    for (const spare of [1, 2, 3]) {
      await assertRefused(token.slice(0, -1) + alphabet[last + spare]);
    }
    await assertRefused(`${token}A`);
  });

  it('that is not valid yet', async () => {
    const nowSeconds = Math.floor(deployment.clock.now().getTime() / 1000);
    await assertRefused(await sign({}, { nbf: nowSeconds + 60 }));
  });

  it('that was tampered with in any part', async () => {
    const [head = '', body = '', signature = ''] = token.split('.');
    assert.deepEqual(decodeProtectedHeader(token).alg, 'EdDSA');
    await assertRefused(`${head}.${part({ ...claims, sub: 'mer_other' })}.${signature}`);
    await assertRefused(`${head}.${part({ ...claims, scope: 'x' })}.${signature}`);
    await assertRefused(`${head}.${body}.${signature.slice(0, -2)}`);
    await assertRefused(
      `${head}.${body}.${signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`,
    );
    await assertRefused(`${head}.${body}.`);
    await assertRefused(`${head}.${body}`);
    await assertRefused(`${token}=`);
    await assertRefused(` .${body}.${signature}`);
  });

  /** Signs claims as they are, past the checks of the library that makes tokens. */
  async function signRaw(payload: object): Promise<string> {
    const { sign: signBytes } = await import('node:crypto');
    const input = `${part({ alg: 'EdDSA', typ: 'at+jwt', kid: keyId })}.${part(payload)}`;
    return `${input}.${signBytes(null, Buffer.from(input), ourKey).toString('base64url')}`;
  }
});
