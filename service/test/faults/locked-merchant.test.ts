import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const GOOD = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
/** A statement waits this long for a lock that another one holds. */
const LOCK_WAIT_MS = 5_000;
const HELD_MS = 6_000;
/** A busy machine needs longer until the first call has waited to its end. */
const LONGEST_HELD_MS = 30_000;

let service: TestService;
let locked: TestMerchant;
let free: TestMerchant;

before(async () => {
  // As in production: the merchant's creations hold some of the connections, never all.
  const settings = { DATABASE_POOL_SIZE: '10' };
  service = await startTestService({ roles: ['api'], settings });
  locked = await service.createMerchant();
  free = await service.createMerchant();
});
after(() => service?.stop());

async function create({ headers }: TestMerchant) {
  const startedMs = performance.now();
  const { status } = await service.call('POST', '/v1/payment-requests', { headers, body: GOOD });
  return { status, tookMs: performance.now() - startedMs };
}

describe('while one merchant’s row is locked', () => {
  it('its own creations wait or fail, and every other merchant’s are done soon', async (t) => {
    const holder = new pg.Client({ connectionString: service.database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM merchants WHERE id = $1 FOR UPDATE', [locked.merchantId]);
    const ofLocked: ReturnType<typeof create>[] = [];
    const done: Awaited<ReturnType<typeof create>>[] = [];
    const startedMs = performance.now();
    let isFelt = false;
    const isOver = (ms: number) => performance.now() - startedMs > ms;
    while (!isOver(HELD_MS) || !(isFelt || isOver(LONGEST_HELD_MS))) {
      const held = create(locked);
      ofLocked.push(held);
      void held.then(({ status }) => {
        isFelt ||= status === 503;
      });
      // Calls follow each other: on a busy machine more at once would hold each other up.
      done.push(await create(free), await create(free));
      await wait(100);
    }
    await holder.end();
    const waited = await Promise.all(ofLocked);
    const longestMs = Math.round(Math.max(...done.map(({ tookMs }) => tookMs)));
    t.diagnostic(`longest creation of another merchant: ${longestMs} ms of ${done.length}`);
    assert.deepEqual([...new Set(done.map(({ status }) => status))], [201]);
    assert.ok(longestMs < LOCK_WAIT_MS, `${longestMs} ms`);
    const statuses = new Set(waited.map(({ status }) => status));
    assert.ok(statuses.has(503), 'the lock was felt');
    assert.ok([...statuses].every((status) => status === 503 || status === 201));
    await eventually(async () => (await create(locked)).status === 201);
  });
});
