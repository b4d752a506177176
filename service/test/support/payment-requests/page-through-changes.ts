import assert from 'node:assert/strict';
import pg from 'pg';
import { changeStatus } from '#payment-requests/status/change-status.ts';
import { startTestService } from '../service/service.ts';
import { PUBLIC_SETTINGS } from './payment-requests.ts';
import { seedPaymentRequests } from './seed.ts';

export interface PagedThrough {
  readonly pages: number;
  readonly added: number;
  readonly moved: number;
  readonly seconds: number;
}

const GOOD = { amount: 12.34, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
/** Changes at a time: enough that some fall between any two pages. */
const CHANGERS = 3;

/**
 * Pages through a merchant's whole list, 100 at a time, while payment requests are created, moved
 * and rewritten in the database's files all the time; asserts that each that was there at the start
 * is given once, in the order of the list.
 */
export async function pageThroughChanges(rows: number): Promise<PagedThrough> {
  const service = await startTestService({ roles: ['api'] });
  try {
    const { headers, merchantId } = await service.createMerchant();
    const { url } = service.database;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await seedPaymentRequests(client, { rows, now: service.clock.now(), merchantId });
    await client.end();
    const ids = await idsAtStart(service.database.sql);
    assert.equal(ids.length, rows);

    const counts = { added: 0, moved: 0 };
    let isOver = false;
    const change = async () => {
      for (let count = 0; !isOver; count++) {
        if (count % 3 === 0) {
          const body = GOOD;
          const made = await service.call('POST', '/v1/payment-requests', { headers, body });
          assert.equal(made.status, 201);
          counts.added++;
        } else {
          const id = ids[Math.floor(Math.random() * ids.length)] as string;
          counts.moved += await moveOne(service, id);
        }
        await service.advance(0.001);
      }
    };
    const changers = Array.from({ length: CHANGERS }, change);

    const startedMs = performance.now();
    const given: string[] = [];
    let pages = 0;
    let path = '/v1/payment-requests?limit=100';
    try {
      for (let hasMore = true; hasMore; pages++) {
        const { status, json } = await service.call('GET', path, { headers });
        assert.equal(status, 200);
        for (const each of json.data) given.push(`${each.createdDateTime} ${each.id}`);
        hasMore = json.hasMore;
        path = `/v1/payment-requests?limit=100&cursor=${json.nextCursor}`;
      }
    } finally {
      isOver = true;
      await Promise.all(changers);
    }
    const seconds = (performance.now() - startedMs) / 1000;
    const isBefore = (at: number) => (given[at - 1] as string) > (given[at] as string);
    const disorder = given.findIndex((_, at) => at > 0 && !isBefore(at));
    assert.equal(disorder, -1, `${given[disorder - 1]} and then ${given[disorder]}`);
    // In a strict order nothing comes twice.
    const found = new Set(given.map((each) => each.split(' ')[1]));
    const missing = ids.filter((id) => !found.has(id));
    assert.deepEqual(missing.slice(0, 5), []);
    assert.ok(counts.added > 0 && counts.moved > 0, 'nothing changed meanwhile');
    return { pages, ...counts, seconds };
  } finally {
    await service.stop();
  }
}

type Service = Awaited<ReturnType<typeof startTestService>>;

async function idsAtStart(sql: Service['database']['sql']): Promise<string[]> {
  return (await sql<{ id: string }>('SELECT id FROM payment_requests')).map(({ id }) => id);
}

/** Money arrives, late for most; @returns how many it moved. */
async function moveOne({ database, clock }: Service, id: string): Promise<number> {
  const [row] = await database.sql<{ cents: string }>(
    'SELECT amount_cents AS cents FROM payment_requests WHERE id = $1',
    [id],
  );
  const deps = {
    db: database.db,
    clock,
    settings: PUBLIC_SETTINGS,
    wakeSenders() {},
    onStatusChanged() {},
    onCaseOpened() {},
  };
  const result = await changeStatus(deps, id, {
    name: 'PAYMENT_SUCCEEDED',
    amountCents: Number(row?.cents),
    institution: 'Maple Bank',
    networkReference: 'REF-1',
    completedAt: clock.now(),
  });
  return result?.outcome === 'CHANGED' ? 1 : 0;
}
