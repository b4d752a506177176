import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { sampleOf } from '../support/metric-samples.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

/** The fewest places that the gate leaves, and so the fewest calls that can fill it. */
const PLACES = 400;
const BODY = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };

let service: TestService;
let merchant: TestMerchant;
let blocker: pg.Client;
let link: string;

before(async () => {
  service = await startTestService();
  merchant = await service.createMerchant();
  const { json } = await create();
  link = `/pay/${json.shortCode}`;
  blocker = new pg.Client({ connectionString: service.database.url });
  await blocker.connect();
});
after(async () => {
  await blocker?.end();
  await service?.stop();
});

let created = 0;

async function create(more: Record<string, string> = {}) {
  const headers = { ...merchant.headers, ...more };
  const answer = await service.call('POST', '/v1/payment-requests', { headers, body: BODY });
  if (answer.status === 201) created += 1;
  return answer;
}

async function gauge(name: string): Promise<number> {
  const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
  return sampleOf(text, name) ?? Number.NaN;
}

/** The service gives up a creation after 5 s of lock: a busy machine may need another try. */
const MOST_TRIES = 5;

/** Creations that the database lets wait, until it goes on. */
async function whileCreationsHang(work: () => Promise<void>) {
  for (let tries = 1; ; tries += 1) {
    let isGivenUp = false;
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE payment_requests IN SHARE ROW EXCLUSIVE MODE');
    const hanging = Array.from({ length: PLACES }, async () => {
      const answer = await create();
      isGivenUp ||= answer.status !== 201;
      return answer;
    });
    try {
      await eventually(
        async () => isGivenUp || (await gauge('http_requests_in_flight')) === PLACES,
        `${PLACES} calls in flight`,
      );
      for (let n = 0; n < 20; n += 1) {
        service.clock.advance(100);
        await fetch(`${service.url}/problems`);
      }
      if (!isGivenUp) {
        assert.equal(await gauge('http_requests_in_flight_limit'), PLACES);
        await work();
      }
    } catch (error) {
      if (!isGivenUp) throw error;
    } finally {
      await blocker.query('COMMIT');
    }
    const answers = await Promise.all(hanging);
    if (!isGivenUp || tries === MOST_TRIES) return answers;
  }
}

describe('a service that is asked for more than it can do', () => {
  it('refuses what is too much at once, says when to try again, and serves all it took', async () => {
    const taken = await whileCreationsHang(async () => {
      const refused = await create({ 'x-request-id': 'mine-1' });
      assert.equal(refused.status, 503, refused.text);
      assert.equal(refused.headers.get('retry-after'), '1');
      assert.equal(refused.headers.get('x-request-id'), 'mine-1');
      assert.equal(refused.headers.get('content-type'), 'application/problem+json');
      assert.equal(refused.headers.get('strict-transport-security'), 'max-age=31536000');
      assert.equal(refused.json.code, 'TEMPORARILY_UNAVAILABLE');
      assert.equal(refused.json.requestId, 'mine-1');
      assert.match(refused.json.detail, /Nothing was done/);
    });
    assert.deepEqual(new Set(taken.map(({ status }) => status)), new Set([201]));
    const [row] = await service.database.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM payment_requests',
    );
    assert.ok(created > PLACES);
    assert.equal(row?.count, created);
    assert.equal((await create()).status, 201);
    await eventually(async () => (await gauge('http_requests_in_flight')) === 0);
  });

  it('keeps places for people who pay, and for its operators', async () => {
    const taken = await whileCreationsHang(async () => {
      assert.equal((await create()).status, 503);
      // In the sandbox the link leads to the gateway's error page; that it does is what counts.
      const opened = await service.call('GET', link);
      assert.ok(opened.status < 500, opened.text);
      const ready = await fetch(`${service.opsUrl}/health/ready`);
      assert.equal(ready.status, 200);
    });
    assert.deepEqual(new Set(taken.map(({ status }) => status)), new Set([201]));
  });

  it('gives a call that waits for a change no place among those that work', async () => {
    const { json } = await create();
    const path = `/v1/payment-requests/${json.id}?waitSeconds=30`;
    const waiting = service.call('GET', path, { headers: merchant.headers });
    const following = service.call('GET', '/v1/events?waitSeconds=30', {
      headers: merchant.headers,
    });
    const taken = await whileCreationsHang(async () => {
      assert.equal(await gauge('http_requests_in_flight'), PLACES);
    });
    assert.equal(taken.length, PLACES);
    const cancelled = await service.call('POST', `/v1/payment-requests/${json.id}/cancellation`, {
      headers: merchant.headers,
    });
    assert.equal(cancelled.status, 200);
    assert.equal((await waiting).json.status, 'CANCELLED');
    assert.equal((await following).status, 200);
  });

  it('tells of refused calls in one line and one count, not in a line for each', async () => {
    const before = service.logLines.filter(({ msg }) => msg === 'request').length;
    service.clock.advance(60_000);
    await whileCreationsHang(async () => {
      for (let n = 0; n < 5; n += 1) assert.equal((await create()).status, 503);
    });
    const told = service.logLines.filter(({ msg }) => msg === 'calls refused: too much to do');
    assert.ok(told.length >= 1);
    const lines = service.logLines.filter(({ msg }) => msg === 'request').slice(before);
    assert.deepEqual(
      lines.filter(({ status }) => status === 503),
      [],
    );
    const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
    const count = sampleOf(text, 'http_requests_shed_total{caller="merchant"}');
    assert.ok(Number(count) >= 5, text.match(/^http_requests_shed.*$/gm)?.join());
  });
});
