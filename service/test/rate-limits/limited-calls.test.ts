import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  type Answer,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
const NOBODY = '/v1/payment-requests/01950000-0000-7000-8000-000000000000';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let service: TestService;
let other: TestService;
let merchant: TestMerchant;
let stranger: TestMerchant;

before(async () => {
  const settings = { RATE_LIMIT_WRITES: '3', RATE_LIMIT_READS: '5', RATE_LIMIT_TOKENS: '4' };
  service = await startTestService({ settings });
  other = await startServiceBeside(service, { roles: ['api'] });
  merchant = await service.createMerchant();
  stranger = await service.createMerchant();
});
after(async () => {
  await other?.stop();
  await service?.stop();
});
beforeEach(async () => {
  other.clock.advance(1_000);
  await service.advance(1);
});

const create = (by = merchant, at = service, body: unknown = GOOD) =>
  at.call('POST', '/v1/payment-requests', { headers: by.headers, body });
const read = (by = merchant, at = service) => at.call('GET', NOBODY, { headers: by.headers });

const rateHeaders = ({ headers }: Answer) =>
  ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name));

function assertLimited(answer: Answer): void {
  assert.equal(answer.status, 429, answer.text);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal(answer.json.code, 'RATE_LIMITED');
  assert.equal(answer.headers.get('retry-after'), '1');
}

async function countStored(): Promise<number> {
  const [row] = await service.database.sql<{ count: string }>(
    'SELECT count(*) FROM payment_requests',
  );
  return Number(row?.count);
}

const statuses = async (calls: readonly Promise<Answer>[]) =>
  (await Promise.all(calls)).map((answer) => answer.status).sort((a, b) => a - b);

describe('a merchant’s calls', () => {
  it('say how the budget stands, and are refused beyond it until the next second', async () => {
    const before = await countStored();
    for (const left of [2, 1, 0]) {
      const answer = await create();
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(rateHeaders(answer), ['"writes";q=3;w=1', `"writes";r=${left};t=1`, null]);
    }
    const refused = await create();
    assertLimited(refused);
    assert.deepEqual(rateHeaders(refused), ['"writes";q=3;w=1', '"writes";r=0;t=1', '1']);
    assert.equal(await countStored(), before + 3);
    await service.advance(1);
    assert.equal((await create()).status, 201);
  });

  it('have a budget for reading apart from the one for writing, and each merchant its own', async () => {
    for (let index = 0; index < 4; index++) await create();
    const answer = await read();
    assert.equal(answer.status, 404);
    assert.deepEqual(rateHeaders(answer), ['"reads";q=5;w=1', '"reads";r=4;t=1', null]);
    assert.equal((await create(stranger)).status, 201);
    assert.deepEqual(
      await statuses(Array.from({ length: 6 }, () => read())),
      [404, 404, 404, 404, 429, 429],
    );
  });

  it('spend the budget for reading on HEAD as on GET', async () => {
    const answer = await service.call('HEAD', NOBODY, { headers: merchant.headers });
    assert.deepEqual(rateHeaders(answer), ['"reads";q=5;w=1', '"reads";r=4;t=1', null]);
  });

  it('are limited together over two instances', async () => {
    const calls = Array.from({ length: 12 }, (_, index) =>
      create(merchant, index % 2 === 0 ? service : other),
    );
    const answered = await statuses(calls);
    assert.deepEqual(answered.slice(0, 3), [201, 201, 201]);
    assert.ok(answered.slice(3).every((status) => status === 429));
  });

  it('are counted only once they are let in', async () => {
    for (let index = 0; index < 9; index++) {
      const headers = { ...merchant.headers, authorization: 'Bearer nonsense' };
      const refused = await service.call('POST', '/v1/payment-requests', { headers, body: GOOD });
      assert.equal(refused.status, 401);
      assert.deepEqual(rateHeaders(refused), [null, null, null]);
    }
    assert.equal((await create()).headers.get('ratelimit'), '"writes";r=2;t=1');
  });

  it('count when their content is refused, and are refused before their body is read', async () => {
    for (let index = 0; index < 3; index++) {
      const refused = await create(merchant, service, { ...GOOD, amount: 0 });
      assert.equal(refused.status, 400);
      assert.equal(refused.headers.get('ratelimit'), `"writes";r=${2 - index};t=1`);
    }
    assert.equal(await statusBeforeBody(), 429);
  });

  it('carry no such headers where the limit is 0', async () => {
    const free = await startServiceBeside(service, {
      roles: ['api'],
      settings: { RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0', RATE_LIMIT_TOKENS: '0' },
    });
    try {
      for (let index = 0; index < 8; index++) {
        const answer = await create(merchant, free);
        assert.equal(answer.status, 201, answer.text);
        assert.deepEqual(rateHeaders(answer), [null, null, null]);
      }
    } finally {
      await free.stop();
    }
  });
});

/** The status of a creation that announces a body and never sends it. */
function statusBeforeBody(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...merchant.headers,
      'content-type': 'application/json',
      'content-length': '500',
    };
    const url = `${service.url}/v1/payment-requests`;
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.on('error', reject);
    request.flushHeaders();
  });
}

describe('token calls', () => {
  function ask(
    password: string,
    { username, from }: { username?: string; from?: string } = {},
  ): Promise<Answer> {
    const name = username ?? merchant.username;
    const headers = {
      ...FORM,
      authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
    };
    return askFrom(from ?? '127.0.0.1', headers);
  }

  it('have the merchant’s budget when they are good', async () => {
    for (const left of [3, 2, 1, 0]) {
      const answer = await ask(merchant.password);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('ratelimit'), `"tokens";r=${left};t=1`);
    }
    assertLimited(await ask(merchant.password));
    const { username } = stranger;
    assert.equal((await ask(stranger.password, { username })).status, 200);
    await service.advance(1);
    assert.equal((await ask(merchant.password)).status, 200);
  });

  it('that fail never lock out the good ones, however many there are', async () => {
    const failed = await statuses(Array.from({ length: 30 }, () => ask('guess')));
    assert.deepEqual(failed.slice(0, 4), [401, 401, 401, 401]);
    assert.ok(failed.slice(4).every((status) => status === 429));
    assertLimited(await ask('guess'));
    for (const left of [3, 2]) {
      const good = await ask(merchant.password);
      assert.equal(good.status, 200, good.text);
      assert.equal(good.headers.get('ratelimit'), `"tokens";r=${left};t=1`);
    }
  });

  it('that fail are counted by their address over all usernames', async () => {
    const tried = Array.from({ length: 6 }, (_, n) => ask('guess', { username: `sbx_${n}` }));
    assert.deepEqual(await statuses(tried), [401, 401, 401, 401, 429, 429]);
    const elsewhere = await ask('guess', { username: 'sbx_0', from: '127.0.0.2' });
    assert.equal(elsewhere.status, 401);
  });

  it('that fail are counted by their username, wherever they come from', async () => {
    const tried = Array.from({ length: 6 }, (_, n) => ask('guess', { from: `127.0.0.${n + 1}` }));
    assert.deepEqual(await statuses(tried), [401, 401, 401, 401, 429, 429]);
    assert.equal((await ask('guess', { from: '127.0.0.7', username: 'sbx_other' })).status, 401);
  });

  it('that fail are answered alike for a username that exists and one that does not', async () => {
    const essence = async (username: string) => {
      const answers: unknown[] = [];
      for (let index = 0; index < 5; index++) {
        const { status, headers, json } = await ask('guess', { username });
        answers.push([status, json.error ?? json.code, [...headers.keys()].sort()]);
      }
      return answers;
    };
    const known = await essence(merchant.username);
    await service.advance(1);
    assert.deepEqual(await essence(`${merchant.username}x`), known);
  });
});

/** A token call from one of the loopback addresses, which fetch cannot choose. */
function askFrom(localAddress: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${service.url}/oauth2/token`,
      { method: 'POST', headers, localAddress },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          text,
          json: JSON.parse(text),
        });
      },
    );
    request.on('error', reject);
    request.end('grant_type=client_credentials');
  });
}
