import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import {
  type Answer,
  buyToken,
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

const GOOD = { amount: 10.5, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
const HOUR_SECONDS = 3_600;

let service: TestService;
let other: TestService;
let merchant: TestMerchant;

before(async () => {
  service = await startTestService();
  other = await startServiceBeside(service, { roles: ['api'] });
  merchant = await service.createMerchant();
});
after(async () => {
  await other?.stop();
  await service?.stop();
});

interface Asked {
  readonly body?: unknown;
  readonly at?: TestService;
  readonly by?: Pick<TestMerchant, 'headers'>;
}

function create(key: string, { body = GOOD, at = service, by = merchant }: Asked = {}) {
  return at.call('POST', '/v1/payment-requests', {
    headers: { ...by.headers, 'idempotency-key': key },
    body,
  });
}

async function countRows(table: string): Promise<number> {
  const [row] = await service.database.sql<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(row?.count);
}

/** The parts that must be equal each time. */
function essence({ status, headers, text }: Answer) {
  const names = ['content-type', 'location', 'etag', 'cache-control'];
  return { status, text, headers: names.map((name) => headers.get(name)) };
}

function assertInProgress(answer: Answer): void {
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.json.code, 'IDEMPOTENCY_IN_PROGRESS');
  assert.equal(answer.headers.get('retry-after'), '1');
}

describe('a creation with an Idempotency-Key', () => {
  it('is answered again, byte for byte, and says that it was', async () => {
    const before = await countRows('payment_requests');
    const first = await create('again');
    assert.equal(first.status, 201, first.text);
    assert.equal(first.headers.has('idempotency-replayed'), false);
    const again = await create('again', { at: other });
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(essence(again), essence(first));
    assert.match(first.headers.get('location') ?? '', /\/payment-requests\/[0-9a-f-]{36}$/);
    assert.equal(first.headers.get('etag'), '"1"');
    assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
    assert.equal(await countRows('payment_requests'), before + 1);
  });

  it('answers the first answer, not what has become of the payment request', async () => {
    const body = { ...GOOD, payer: { ...GOOD.payer, name: 'depositDecline' } };
    const first = await create('state', { body });
    await service.advance(11);
    await eventually(async () => {
      const read = await service.call('GET', new URL(first.json.links[0].href).pathname, {
        headers: merchant.headers,
      });
      return read.json.status === 'FAILED';
    });
    assert.deepEqual(essence(await create('state', { body })), essence(first));
  });

  it('is refused with another body, also one that only spells the same differently', async () => {
    await create('body');
    const before = await countRows('payment_requests');
    for (const body of [{ ...GOOD, amount: 10.51 }, JSON.stringify(GOOD, null, 1)]) {
      const answer = await service.call('POST', '/v1/payment-requests', {
        headers: {
          ...merchant.headers,
          'idempotency-key': 'body',
          'content-type': 'application/json',
        },
        body,
      });
      assert.equal(answer.status, 422, answer.text);
      assert.equal(answer.json.code, 'IDEMPOTENCY_KEY_REUSED');
    }
    assert.equal(await countRows('payment_requests'), before);
  });

  it('binds a key to the path: the key of one cancellation cancels no other request', async () => {
    const first = await create('bound-first');
    const second = await create('bound-second');
    const cancel = (id: string) =>
      service.call('POST', `/v1/payment-requests/${id}/cancellation`, {
        headers: { ...merchant.headers, 'idempotency-key': 'bound-cancellation' },
      });
    assert.equal((await cancel(first.json.id)).json.status, 'CANCELLED');
    const refused = await cancel(second.json.id);
    assert.equal(refused.status, 422, refused.text);
    assert.equal(refused.json.code, 'IDEMPOTENCY_KEY_REUSED');
    const read = await service.call('GET', `/v1/payment-requests/${second.json.id}`, {
      headers: merchant.headers,
    });
    assert.equal(read.json.status, 'CREATED');
  });

  it('leaves the same key of another merchant untouched', async () => {
    const stranger = await service.createMerchant({ name: 'Other Shop' });
    const mine = await create('shared');
    const theirs = await create('shared', { by: stranger, body: { ...GOOD, amount: 3 } });
    assert.equal(theirs.status, 201, theirs.text);
    assert.equal(theirs.headers.has('idempotency-replayed'), false);
    assert.notEqual(theirs.json.id, mine.json.id);
    assert.equal(theirs.json.merchant.id, stranger.merchantId);
  });

  it('keeps the key free when it is refused', async () => {
    const refused = await create('refused', { body: { ...GOOD, amount: 0 } });
    assert.equal(refused.status, 400, refused.text);
    const limited = { ...GOOD, payer: { ...GOOD.payer, name: 'createError:503' } };
    assert.equal((await create('refused', { body: limited })).status, 503);
    const accepted = await create('refused');
    assert.equal(accepted.status, 201, accepted.text);
    assert.equal(accepted.headers.has('idempotency-replayed'), false);
  });

  it('keeps the key free when its merchantTransactionId is taken', async () => {
    const strict = await service.createMerchant({ uniqueTransactionIds: true });
    const body = { ...GOOD, merchantTransactionId: 'order-1' };
    await create('unique-1', { by: strict, body });
    assert.equal((await create('unique-2', { by: strict, body })).status, 409);
    const freed = await create('unique-2', { by: strict });
    assert.equal(freed.status, 201, freed.text);
    // The one that was done is given again, though a new one with its id would be refused.
    const again = await create('unique-1', { by: strict, body });
    assert.equal(again.status, 201, again.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  });

  it('is answered again when the same body would be refused by now', async () => {
    const expiryDateTime = new Date(service.clock.now().getTime() + 301_000).toISOString();
    const body = { ...GOOD, expiryDateTime };
    const first = await create('later', { body });
    assert.equal(first.status, 201, first.text);
    await service.advance(120);
    assert.equal((await create('later-too', { body })).status, 400);
    assert.deepEqual(essence(await create('later', { body })), essence(first));
  });
});

describe('the Idempotency-Key header', () => {
  const refused = [
    ['a space inside', 'a b', 'INVALID_FORMAT'],
    ['a letter beyond ASCII', 'clé', 'INVALID_FORMAT'],
    ['nothing', '', 'TOO_SHORT'],
    ['256 characters', 'k'.repeat(256), 'TOO_LONG'],
  ] as const;
  for (const [what, key, code] of refused) {
    it(`is refused with ${what}, and nothing is stored`, async () => {
      const before = await countRows('payment_requests');
      const answer = await create(key);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(
        answer.json.errors.map((e: { field: string; code: string }) => [e.field, e.code]),
        [['Idempotency-Key', code]],
      );
      assert.equal(await countRows('payment_requests'), before);
    });
  }

  it('is refused when sent twice, equal or not', async () => {
    for (const keys of [
      ['twice', 'twice'],
      ['one', 'other'],
    ]) {
      assert.equal(await statusWithKeys(keys), 400);
    }
  });

  it('takes every visible ASCII character, 255 of them', async () => {
    const visible = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 0x21 + index));
    for (const key of [visible, 'k'.repeat(255)]) {
      const first = await create(key);
      assert.equal(first.status, 201, first.text);
      assert.equal((await create(key)).text, first.text);
    }
  });
});

/** The status of a creation whose header is sent once for each key; fetch would join them. */
function statusWithKeys(keys: string[]): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${service.url}/v1/payment-requests`,
      {
        method: 'POST',
        headers: {
          ...merchant.headers,
          'content-type': 'application/json',
          'idempotency-key': keys,
        },
      },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(GOOD));
  });
}

describe('200 creations at once with one key, at two instances', () => {
  it('make one payment request; every answer is it, or “in progress”', async () => {
    const before = await countRows('payment_requests');
    const instances = [service, other];
    const send = (index: number) => create('storm', { at: instances[index % 2] ?? service });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => send(index)));
    const created = answers.filter((answer) => answer.status === 201);
    for (const answer of answers) if (answer.status !== 201) assertInProgress(answer);
    assert.equal(await countRows('payment_requests'), before + 1);
    const fresh = created.filter((answer) => !answer.headers.has('idempotency-replayed'));
    assert.equal(fresh.length, 1);

    let waiting = answers.length - created.length;
    for (let round = 0; waiting > 0 && round < 10; round++) {
      const retried = await Promise.all(Array.from({ length: waiting }, (_, index) => send(index)));
      created.push(...retried.filter((answer) => answer.status === 201));
      waiting = answers.length - created.length;
    }
    assert.equal(created.length, 200);
    const [first] = created;
    assert.ok(first);
    for (const answer of created) assert.deepEqual(essence(answer), essence(first));
    assert.equal(await countRows('payment_requests'), before + 1);
  });
});

describe('300 creations at once, with many keys and without', () => {
  it('make one payment request for each key and each call without one', async () => {
    const before = await countRows('payment_requests');
    const stepsBefore = await countRows('sandbox_steps');
    // Every third is without a key; the keys of the others come twice, next to each other.
    const keyOf = (index: number) => (index % 3 === 2 ? null : `many-${Math.floor(index / 3)}`);
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const key = keyOf(index);
        const name = index % 6 < 3 ? 'depositSubmit' : 'Ada';
        const body = { ...GOOD, payer: { ...GOOD.payer, name } };
        if (key !== null) return create(key, { body });
        const { headers } = merchant;
        return service.call('POST', '/v1/payment-requests', { headers, body });
      }),
    );
    assert.equal(await countRows('payment_requests'), before + 200);
    // Old answers of other keys may be pruned meanwhile.
    assert.equal(await countRows("idempotency_answers WHERE key LIKE 'many-%'"), 100);
    assert.equal(await countRows('sandbox_steps'), stepsBefore + 100);
    const texts = new Map<string, string>();
    for (const [index, answer] of answers.entries()) {
      const key = keyOf(index);
      if (answer.status !== 201) assertInProgress(answer);
      else if (key !== null) assert.equal(answer.text, texts.get(key) ?? answer.text);
      if (key !== null && answer.status === 201) texts.set(key, answer.text);
    }
    assert.equal(texts.size, 100);
    for (const [key, text] of texts) {
      const { id } = JSON.parse(text);
      const { headers } = merchant;
      const read = await service.call('GET', `/v1/payment-requests/${id}`, { headers });
      assert.equal(read.status, 200, key);
    }
  });

  it('fail alone: what one of them may not do keeps no other from its own', async () => {
    const send = (index: number) =>
      // A NUL cannot be kept; a key that was used for another body is no key for this one.
      create(index === 7 ? 'many-0' : `alone-${index}`, {
        body: { ...GOOD, amount: 1 + index, ...(index === 9 && { displayMessage: 'a\u0000' }) },
      });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send(index)));
    for (const [index, { status, text }] of answers.entries()) {
      assert.equal(status, index === 7 ? 422 : index === 9 ? 400 : 201, text);
      if (status === 201) assert.equal(JSON.parse(text).amount, 1 + index);
    }
  });
});

describe('a first call that is still running', () => {
  let blocker: pg.Client;

  before(async () => {
    blocker = new pg.Client({ connectionString: service.database.url });
    await blocker.connect();
  });
  after(() => blocker.end());

  /**
   * Runs `during` while no payment request that is inserted can be committed: each has to see that
   * its merchant stays. Everything else works.
   */
  async function whileInsertsWait(during: () => Promise<void>): Promise<void> {
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM merchants FOR UPDATE');
    try {
      await during();
    } finally {
      await blocker.query('ROLLBACK');
    }
  }

  /** The server process of the one session that waits for the blocker, and since when. */
  const blockedSession = (after = '') =>
    eventually(async () => {
      const [row] = await service.database.sql<{ pid: number; since: string }>(
        `SELECT pid, query_start::text AS since FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%INSERT INTO payment_requests%' AND pid <> pg_backend_pid()`,
      );
      return row && row.since > after && row;
    }, 'a creation that waits');

  /**
   * A creation that may hold up others gives up its wait, and its key, after 300 ms. Then it waits
   * alone.
   */
  const creationAlone = async () => blockedSession((await blockedSession()).since);

  it('sends others away at once, with its key and any body, at any instance', async () => {
    let first: Promise<Answer> | undefined;
    await whileInsertsWait(async () => {
      first = create('running');
      await creationAlone();
      const startedMs = performance.now();
      assertInProgress(await create('running'));
      assertInProgress(await create('running', { at: other }));
      assertInProgress(await create('running', { body: { ...GOOD, amount: 2 } }));
      // A call whose input is bad by now may still be the first one's twin.
      assertInProgress(await create('running', { body: { ...GOOD, amount: 0 } }));
      // Each lock is waited for 5 s.
      assert.ok(performance.now() - startedMs < 5_000);
    });
    const answer = await first;
    assert.equal(answer?.status, 201, answer?.text);
    assert.equal((await create('running')).text, answer?.text);
  });

  it('leaves nothing when its connection is killed, and the key is free', async () => {
    const [requests, answers] = [
      await countRows('payment_requests'),
      await countRows('idempotency_answers'),
    ];
    let first: Promise<Answer> | undefined;
    await whileInsertsWait(async () => {
      first = create('killed');
      const { pid } = await blockedSession();
      await service.database.sql('SELECT pg_terminate_backend($1)', [pid]);
      assert.equal((await first).status, 503);
    });
    assert.equal(await countRows('payment_requests'), requests);
    assert.equal(await countRows('idempotency_answers'), answers);
    const second = await eventually(async () => {
      const answer = await create('killed', { at: other });
      if (answer.status === 409) await wait(20);
      return answer.status === 201 && answer;
    });
    assert.equal(second.headers.has('idempotency-replayed'), false);
    assert.equal(await countRows('payment_requests'), requests + 1);
  });
});

describe('an Idempotency-Key after 72 hours', () => {
  it('is kept to the last second, then free for another call, and pruned', async () => {
    const alone = await startTestService();
    try {
      const owner = await alone.createMerchant();
      const send = async (key: string, amount: number) => {
        // Tokens last an hour; the key outlives them.
        const token = await buyToken(alone.call, owner);
        return create(key, {
          at: alone,
          by: { headers: { ...owner.headers, authorization: `Bearer ${token}` } },
          body: { ...GOOD, amount },
        });
      };
      const first = await send('old', 1);
      assert.equal(first.status, 201, first.text);
      await alone.advance(HOUR_SECONDS);
      const younger = await send('younger', 5);

      await alone.advance(71 * HOUR_SECONDS - 1);
      assert.deepEqual(essence(await send('old', 1)), essence(first));
      assert.equal((await send('old', 2)).status, 422);
      const held = new pg.Client({ connectionString: alone.database.url });
      await held.connect();
      // The row is held, so that pruning passes it by and the key is renewed in its place.
      await held.query('BEGIN');
      await held.query("SELECT FROM idempotency_answers WHERE key = 'old' FOR KEY SHARE");
      await alone.advance(1);
      const renewed = await send('old', 2);
      await held.query('ROLLBACK');
      await held.end();
      assert.equal(renewed.status, 201, renewed.text);
      assert.notEqual(renewed.json.id, first.json.id);
      assert.deepEqual(essence(await send('old', 2)), essence(renewed));
      assert.deepEqual(essence(await send('younger', 5)), essence(younger));

      const keys = async () => {
        const rows = await alone.database.sql<{ key: string }>(
          'SELECT key FROM idempotency_answers ORDER BY key',
        );
        return rows.map((row) => row.key);
      };
      assert.deepEqual(await keys(), ['old', 'younger']);
      await alone.advance(HOUR_SECONDS);
      await eventually(async () => (await keys()).join() === 'old');
    } finally {
      await alone.stop();
    }
  });
});
