import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { findClientTogether } from '#access/client-loader.ts';
import { authenticateClient } from '#access/token/authenticate-client.ts';
import { connectDatabase } from '#database/database.ts';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { suspendMerchant } from '#merchants/suspend-merchant.ts';
import {
  type Answer,
  basic,
  createDeployment,
  type Deployment,
  FORM,
  type Process,
} from './start-access.ts';

/** The answer to every refused client, in the sandbox. */
const REFUSED =
  '{"error":"invalid_client","error_description":' +
  '"No valid username and password of the sandbox environment were sent. Send them by HTTP Basic ' +
  '(Authorization: Basic), or as client_id and client_secret in the body."}';

const GOOD = 'grant_type=client_credentials&scope=payment_request%2Fall';

describe('the token call (contract §3)', () => {
  let deployment: Deployment;
  let process: Process;
  let merchant: OnboardedMerchant;
  before(async () => {
    deployment = await createDeployment();
    process = await deployment.startProcess();
    merchant = await deployment.onboard();
  });
  after(() => deployment.stop());

  interface Ask {
    authorization?: string | string[] | null;
    contentType?: string | null;
    body?: string;
  }
  const ask = ({ authorization = basic(merchant), contentType = FORM, body = GOOD }: Ask = {}) =>
    process.call('/oauth2/token', {
      method: 'POST',
      headers: {
        ...(authorization !== null && { authorization }),
        ...(contentType !== null && { 'content-type': contentType }),
      },
      body,
    });
  const inBody = (fields: Record<string, string>) => `${GOOD}&${new URLSearchParams(fields)}`;

  function assertError(answer: Answer, status: number, error: string, words: RegExp): void {
    const { error_description: description, ...rest } = answer.json;
    assert.deepEqual([answer.status, rest], [status, { error }]);
    // RFC 6749 §5.2: printable ASCII without quotes and backslashes.
    assert.match(description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    assert.match(description, words);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    assertNotStored(answer);
  }

  function assertNotStored(answer: Answer): void {
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers.pragma, 'no-cache');
  }

  function assertGood(answer: Answer): void {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(answer.json), ['access_token', 'expires_in', 'token_type']);
    assert.equal(answer.json.expires_in, 3600);
    assert.equal(answer.json.token_type, 'Bearer');
    assertNotStored(answer);
  }

  it('answers a token, its seconds and its type, and nothing else', async () => {
    const answer = await ask();
    assertGood(answer);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.text, JSON.stringify(answer.json));
  });

  it('makes a JWT of the RFC 9068 profile', async () => {
    const { access_token: token } = (await ask()).json;
    const { kid, ...header } = decodeProtectedHeader(token);
    const { jti, ...claims } = decodeJwt(token);
    const issuedAt = Math.floor(deployment.clock.now().getTime() / 1000);
    assert.deepEqual(header, { alg: 'EdDSA', typ: 'at+jwt' });
    assert.match(String(kid), /^[\w-]{43}$/);
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    assert.deepEqual(claims, {
      iss: 'http://localhost:4010/oauth2/token',
      aud: 'http://localhost:4010/v1',
      sub: merchant.merchantId,
      client_id: merchant.username,
      scope: 'payment_request/all',
      iat: issuedAt,
      exp: issuedAt + 3600,
    });
  });

  it('takes a scope left out, or empty, as payment_request/all', async () => {
    for (const body of ['grant_type=client_credentials', 'grant_type=client_credentials&scope=']) {
      const answer = await ask({ body });
      assertGood(answer);
      assert.equal(decodeJwt(answer.json.access_token).scope, 'payment_request/all');
    }
  });

  it('grants the narrower scopes that were asked for', async () => {
    const answer = await ask({
      body: 'grant_type=client_credentials&scope=event/read+payment_request/read+event/read',
    });
    assertGood(answer);
    assert.equal(decodeJwt(answer.json.access_token).scope, 'event/read payment_request/read');
  });

  for (const scope of ['payment_request/none', 'payment_request/all other', ' ', 'openid']) {
    it(`refuses the scope "${scope}"`, async () => {
      const form = new URLSearchParams({ grant_type: 'client_credentials', scope });
      assertError(
        await ask({ body: String(form) }),
        400,
        'invalid_scope',
        /unknown.* event\/read\./,
      );
    });
  }

  it('refuses a grant type that is missing or empty', async () => {
    for (const body of ['scope=payment_request/all', 'grant_type=&scope=payment_request/all', '']) {
      const words = /^Send grant_type=client_credentials in a body of the type application\/x-www/;
      assertError(await ask({ body }), 400, 'invalid_request', words);
    }
  });

  for (const grantType of ['password', 'authorization_code', 'CLIENT_CREDENTIALS', 'x']) {
    it(`refuses the grant type ${grantType}`, async () => {
      const body = `grant_type=${grantType}&scope=payment_request/all`;
      assertError(await ask({ body }), 400, 'unsupported_grant_type', /client_credentials/);
    });
  }

  const NO_FORMS: [string | null, string][] = [
    ['application/json', '{"grant_type":"client_credentials"}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['text/plain', GOOD],
    ['application/x-www-form-urlencodedx', GOOD],
    ['nonsense', GOOD],
    [null, GOOD],
    [null, ''],
  ];
  for (const [contentType, body] of NO_FORMS) {
    it(`refuses a body that is ${contentType ?? 'of no type'} (${body.length} bytes)`, async () => {
      const words = /not as JSON and not in the address/;
      assertError(await ask({ contentType, body }), 400, 'invalid_request', words);
    });
  }

  it('reads a form with any charset parameter and letter case', async () => {
    assertGood(await ask({ contentType: 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' }));
  });

  it('refuses any field that is sent twice', async () => {
    for (const more of ['grant_type=client_credentials', 'scope=payment_request/all', 'a=1&a=2']) {
      assertError(
        await ask({ body: `${GOOD}&${more}` }),
        400,
        'invalid_request',
        /each field once/,
      );
    }
  });

  it('ignores fields it does not know', async () => {
    assertGood(await ask({ body: `${GOOD}&resource=x&audience=y` }));
  });

  it('refuses a body that is too large to be a token call', async () => {
    const body = `${GOOD}&x=${'x'.repeat(9000)}`;
    assertError(await ask({ body }), 413, 'invalid_request', /8 KiB/);
  });

  it('accepts the credentials in the body instead of the header', async () => {
    const { username: client_id, password: client_secret } = merchant;
    const body = inBody({ client_id, client_secret });
    assertGood(await ask({ authorization: null, body }));
  });

  it('refuses credentials in both header and body, right or wrong', async () => {
    const { username: client_id, password: client_secret } = merchant;
    for (const secret of [client_secret, 'wrong']) {
      const body = inBody({ client_id, client_secret: secret });
      for (const more of [{}, { authorization: 'Bearer x' }]) {
        assertError(await ask({ body, ...more }), 400, 'invalid_request', /not in both/);
      }
    }
  });

  it('lets a client that shows Basic name itself in the body, but no other', async () => {
    assertGood(await ask({ body: inBody({ client_id: merchant.username }) }));
    const other = await ask({ body: inBody({ client_id: 'another' }) });
    assertError(other, 400, 'invalid_request', /not in both/);
  });

  it('refuses repeated Authorization headers', async () => {
    const authorization = [basic(merchant), basic(merchant)];
    assertError(await ask({ authorization }), 400, 'invalid_request', /one Authorization header/);
  });

  it('reads Basic credentials raw and percent-encoded, with any letter case of the scheme', async () => {
    const encodeAll = (text: string) =>
      [...text].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
    const encoded = basic({
      username: encodeAll(merchant.username),
      password: encodeAll(merchant.password),
    });
    for (const authorization of [encoded, basic(merchant).replace('Basic', 'bAsIc')]) {
      assertGood(await ask({ authorization }));
    }
  });

  describe('refuses a client, always with the same bytes', () => {
    let suspended: OnboardedMerchant;
    before(async () => {
      suspended = await deployment.onboard('Suspended');
      const { database, clock, actor } = deployment;
      await suspendMerchant({ db: database.db, clock, actor }, suspended.merchantId);
    });

    const CASES: Record<string, () => Ask> = {
      'no credentials': () => ({ authorization: null }),
      'an unknown username': () => ({ authorization: basic({ ...merchant, username: 'nobody' }) }),
      'a wrong password': () => ({ authorization: basic({ ...merchant, password: 'wrong' }) }),
      'an empty password': () => ({ authorization: basic({ ...merchant, password: '' }) }),
      'another merchant’s password': () => ({
        authorization: basic({ username: merchant.username, password: suspended.password }),
      }),
      'the API key as password': () => ({
        authorization: basic({ ...merchant, password: merchant.apiKey }),
      }),
      'a suspended merchant': () => ({ authorization: basic(suspended) }),
      'another scheme': () => ({ authorization: 'Bearer abc' }),
      'Basic without credentials': () => ({ authorization: 'Basic' }),
      'Basic that is not base64': () => ({ authorization: 'Basic !!!' }),
      'Basic without a colon': () => ({
        authorization: `Basic ${Buffer.from('nocolon').toString('base64')}`,
      }),
      'a username with a NUL': () => ({ authorization: basic({ ...merchant, username: 'a\0b' }) }),
      'a username that is SQL': () => ({
        authorization: basic({ ...merchant, username: "' OR 1=1 --" }),
      }),
      'a very long username': () => ({
        authorization: basic({ ...merchant, username: 'x'.repeat(5000) }),
      }),
      'a client_id without client_secret': () => ({
        authorization: null,
        body: inBody({ client_id: merchant.username }),
      }),
      'a client_secret without client_id': () => ({
        authorization: null,
        body: inBody({ client_secret: merchant.password }),
      }),
      'a wrong client_secret': () => ({
        authorization: null,
        body: inBody({ client_id: merchant.username, client_secret: 'wrong' }),
      }),
      'no credentials and no grant type': () => ({ authorization: null, body: 'scope=x' }),
    };
    for (const [name, make] of Object.entries(CASES)) {
      it(name, async () => {
        const { status, headers, text } = await ask(make());
        const { date: _, ...steady } = headers;
        assert.deepEqual(
          { status, headers: steady, text },
          {
            status: 401,
            headers: {
              'cache-control': 'no-store',
              pragma: 'no-cache',
              'www-authenticate': 'Basic realm="payment-requests"',
              'content-type': 'application/json; charset=utf-8',
              'content-length': `${REFUSED.length}`,
              connection: 'close',
            },
            text: REFUSED,
          },
        );
      });
    }

    it('with one and the same statement for each', async () => {
      const { access } = process;
      const statements: string[][] = [];
      for (const credentials of [
        null,
        { username: 'a\0b', password: 'x' },
        { username: 'nobody', password: 'x' },
        { username: merchant.username, password: 'wrong' },
        suspended,
      ]) {
        const names: string[] = [];
        const db = {
          ...access.db,
          query: (...call: Parameters<typeof access.db.query>) => {
            names.push(call[0].name);
            return access.db.query(...call);
          },
        } as typeof access.db;
        const findClient = findClientTogether({ ...access, db });
        const { client } = await authenticateClient({ ...access, findClient }, credentials);
        assert.equal(client, null);
        statements.push(names);
      }
      for (const names of statements) assert.deepEqual(names, ['access-find-clients']);
    });
  });

  it('answers each of many that come together for itself', async () => {
    const others = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => deployment.onboard(name)),
    );
    const clients = [merchant, ...others, { username: 'nobody', password: 'x' }];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const client = clients[index % clients.length] ?? merchant;
        const isWrong = index % 7 === 0;
        return process.askToken(isWrong ? { ...client, password: 'wrong' } : client);
      }),
    );
    for (const [index, answer] of answers.entries()) {
      const client = clients[index % clients.length];
      const isRefused = index % 7 === 0 || client?.username === 'nobody';
      // Failures beyond the limit of their second are answered 429.
      if (isRefused) assert.ok([401, 429].includes(answer.status), `${answer.status}`);
      else assert.equal(decodeJwt(answer.json.access_token).client_id, client?.username);
    }
  });

  it('answers 503 with Retry-After while the database is away', async () => {
    const db = connectDatabase({ url: 'postgres://127.0.0.1:1/away', poolSize: 2 });
    const cutOff = await deployment.startProcess({ db });
    const answer = await cutOff.askToken(merchant);
    assert.equal(answer.status, 503);
    assert.equal(answer.json.code, 'TEMPORARILY_UNAVAILABLE');
    assert.ok(Number(answer.headers['retry-after']) > 0);
  });
});
