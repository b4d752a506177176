import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Executor, Statement } from '#database/database.ts';
import { FEED_START } from '#webhooks/feed/cursor.ts';
import { findBehind, readFeed } from '#webhooks/feed/feed-store.ts';
import { EVENT_TYPES, SPECIFIED_EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { planNodes } from '../../support/plan-nodes.ts';

const EVENTS = 20_000;
/** The most rows that a statement looks at. */
const MOST_SEEN = 1_000;
const LIMIT = 101;

describe('the feed among 20,000 events of a merchant', () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createTestDatabase('sandbox');
    await database.planAsInProduction();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("SET session_replication_role = 'replica'");
    await client.query(
      `INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type, body)
       SELECT gen_random_uuid(), 'mer_' || n % 2, gen_random_uuid(), 1,
              CASE WHEN n % 7 = 0 THEN 'PAYMENT-FAILED' ELSE 'PAYMENT-COMPLETED' END, '{}'
       FROM generate_series(1, $1::int) n`,
      [2 * EVENTS],
    );
    await client.query('ANALYZE webhook_events');
    // The feed shows no event before all transactions of the server that began earlier have ended.
    await eventually(async () => (await page(null)).rows > 0, 'events in the feed');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  /** How the statement of a call read the events, and how many. */
  async function readsOf(call: (db: Executor) => Promise<unknown>) {
    let asked: { statement: Statement; values: readonly unknown[] } | undefined;
    await call({
      query: async (statement, values = []) => {
        asked = { statement, values };
        return [];
      },
    });
    assert.ok(asked);
    const { statement, values } = asked;
    const analyze = `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`;
    const { rows } = await client.query(analyze, [...values]);
    const nodes = planNodes(rows);
    const ofEvents = nodes.filter((node) => 'Index Name' in node || 'Relation Name' in node);
    return {
      indexes: new Set(ofEvents.map((node) => node['Index Name'] ?? node['Relation Name'])),
      rows: ofEvents.reduce((sum, node) => sum + node['Actual Rows'], 0),
    };
  }

  const page = (eventTypes: readonly string[] | null) =>
    readsOf((db) =>
      readFeed(db, { merchantId: 'mer_1', eventTypes, after: FEED_START, limit: LIMIT }),
    );

  it('reads one page off its index for the types that it shows unasked, and for all', async () => {
    for (const eventTypes of [SPECIFIED_EVENT_TYPES, null]) {
      const { indexes, rows } = await page(eventTypes);
      assert.deepEqual([...indexes], ['webhook_events_feed']);
      assert.ok(rows <= LIMIT, `${rows} events`);
    }
  });

  it('looks at no more events than a statement may, for a type that is nowhere', async () => {
    const { indexes, rows } = await page(['REFUND-FAILED']);
    assert.deepEqual([...indexes], ['webhook_events_feed']);
    // Once for the page, and once for the place where it ended.
    assert.ok(rows >= MOST_SEEN && rows <= 2 * MOST_SEEN, `${rows} events`);
  });

  it('looks for followers in the index', async () => {
    const { indexes } = await readsOf((db) =>
      findBehind(
        db,
        EVENT_TYPES.map((type) => ({ merchantId: 'mer_1', eventTypes: [type], after: FEED_START })),
      ),
    );
    assert.deepEqual([...indexes], ['webhook_events_feed']);
  });
});
