import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { createDeployment, type Deployment, type Process } from './start-access.ts';

interface Side {
  readonly deployment: Deployment;
  readonly process: Process;
  readonly merchant: OnboardedMerchant;
}

/** Cells behind one router may have equal addresses. */
const PORT = 4010;

async function openCell(cell: number): Promise<Side> {
  const deployment = await createDeployment('sandbox', PORT, cell);
  const process = await deployment.startProcess();
  return { deployment, process, merchant: await deployment.onboard() };
}

describe('credentials of another cell are unknown', () => {
  let first: Side;
  let second: Side;
  before(async () => {
    first = await openCell(1);
    second = await openCell(2);
  });
  after(() => Promise.all([first, second].map(({ deployment }) => deployment?.stop())));

  it('while those of the own cell carry its mark and open it', async () => {
    const { username, apiKey, password, listener } = second.merchant;
    assert.match(username, /^c2-sbx_user_[0-9a-f]{24}$/);
    assert.match(apiKey, /^c2-sbx_[\w-]{43}$/);
    assert.match(password, /^sbx_[\w-]{43}$/);
    assert.match(listener.password, /^sbx_[\w-]{43}$/);
    const token = await second.process.token(second.merchant);
    assert.equal((await second.process.read(apiKey, token)).status, 200);
    assert.match(first.merchant.username, /^sbx_user_/);
    const hints = await second.deployment.database.sql('SELECT hint FROM api_keys');
    assert.deepEqual(hints, [{ hint: apiKey.slice(0, 13) }]);
  });

  it('also with the mark taken off, put on or exchanged', async () => {
    for (const [own, foreign] of [
      [first, second],
      [second, first],
    ] as const) {
      const { apiKey, username, password } = own.merchant;
      const token = await foreign.process.token(foreign.merchant);
      const bare = apiKey.replace(/^c2-/, '');
      for (const key of [apiKey, bare, `c2-${bare}`, `c3-${bare}`, `c1-${bare}`]) {
        const answer = await foreign.process.read(key, token);
        assert.deepEqual([answer.status, answer.json.code], [401, 'API_KEY_INVALID'], key);
      }
      const name = username.replace(/^c2-/, '');
      for (const asked of [username, name, `c2-${name}`, `c3-${name}`]) {
        const answer = await foreign.process.askToken({ username: asked, password });
        assert.deepEqual([answer.status, answer.json.error], [401, 'invalid_client'], asked);
      }
    }
  });

  it('also in a token with issuer, audience, signing key and username of this database', async () => {
    for (const [own, name] of [
      [first, (username: string) => `c2-${username}`],
      [second, (username: string) => username.replace('c2-', '')],
    ] as const) {
      const { apiKey, username } = own.merchant;
      // A copy of the other cell's credential, as in a restored backup.
      await own.deployment.database.sql(
        `INSERT INTO api_credentials (username, merchant_id, scopes, created_at)
         SELECT $2, merchant_id, scopes, created_at FROM api_credentials WHERE username = $1`,
        [username, name(username)],
      );
      const claims = decodeJwt(await own.process.token(own.merchant));
      const { keyId, privateKey } = await own.process.access.signingKeys.signer();
      const sign = (client_id: string) =>
        new SignJWT({ ...claims, client_id })
          .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: keyId })
          .sign(privateKey);
      assert.equal((await own.process.read(apiKey, await sign(username))).status, 200);
      const refused = await own.process.read(apiKey, await sign(name(username)));
      assert.deepEqual([refused.status, refused.json.code], [401, 'ACCESS_TOKEN_INVALID']);
    }
  });
});
