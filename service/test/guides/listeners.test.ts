import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  answersTo,
  type GuideListener,
  inboxTables,
  rightAnswers,
  startGuideListener,
} from '../support/documents/guide-listeners.ts';
import { snippetNamed } from '../support/documents/guide-snippets.ts';
import { eventually } from '../support/eventually.ts';
import {
  type ListenerCase,
  listenerCases,
  type Recording,
  recordWebhooks,
} from '../support/webhooks/genuine-webhooks.ts';

const NODE_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
/** Express and Hono are not installed for npm test: service/test/slow/guides tests them. */
const LISTENERS = ['listener-node-http.js', 'listener-fastify.js', 'listener-next.js'];
const REPEATS = 5;

let folder: string;
let database: TestDatabase;
let recording: Recording;
let cases: readonly ListenerCase[];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guide-listeners-'));
  symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
  database = await createTestDatabase('sandbox');
  await database.sql(inboxTables());
  recording = await recordWebhooks();
  cases = listenerCases(recording);
});
beforeEach(() => database.sql('TRUNCATE payment_events, orders'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

for (const name of LISTENERS) {
  describe(`the guide’s ${name}`, () => {
    let listener: GuideListener;
    before(async () => {
      const options = { folder, name, databaseUrl: database.url };
      listener = await startGuideListener({ ...options, listener: recording.listener });
    });
    after(() => listener.stop());

    it('answers 204 to what the service sends and 401 to everything else', async () => {
      assert.deepEqual(await answersTo(listener, cases), rightAnswers(cases));
    });

    it('stores an event once, also when repeats of it arrive at once', async () => {
      const repeats = Array.from({ length: REPEATS }, () => answersTo(listener, cases.slice(0, 1)));
      const answers = (await Promise.all(repeats)).flat();
      assert.deepEqual(new Set(answers), new Set(rightAnswers(cases.slice(0, 1))));
      const stored = await database.sql<{ id: string }>('SELECT id FROM payment_events');
      assert.deepEqual(stored, [{ id: cases[0]?.headers['webhook-id'] }]);
    });
  });
}

describe('the guide’s inbox', () => {
  let storeEvent: (event: unknown) => Promise<void>;
  let workOnNextEvent: () => Promise<boolean>;
  let event: { id: string; test?: boolean; resource: { status: string } };

  before(async () => {
    process.env.DATABASE_URL = database.url;
    writeFileSync(join(folder, 'inbox-alone.mjs'), snippetNamed('inbox.js'));
    const inbox = await import(pathToFileURL(join(folder, 'inbox-alone.mjs')).href);
    ({ storeEvent, workOnNextEvent } = inbox);
  });
  beforeEach(async () => {
    event = JSON.parse(cases[0]?.body ?? '');
    await database.sql("INSERT INTO orders (reference, amount_cents) VALUES ('order-1042', 1000)");
  });

  const released = async () =>
    (
      await database.sql<{ reference: string }>(
        'SELECT * FROM orders WHERE released_at IS NOT NULL',
      )
    ).length;
  const waitingWorkers = async () =>
    (
      await database.sql(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).length;
  const undone = async () =>
    (await database.sql('SELECT id FROM payment_events WHERE done_at IS NULL')).length;

  it('releases an order once, when two workers meet a repeated event', async () => {
    await Promise.all([storeEvent(event), storeEvent(event)]);
    const held = new pg.Client({ connectionString: database.url });
    await held.connect();
    try {
      await held.query('BEGIN; SELECT FROM orders FOR UPDATE');
      const first = workOnNextEvent();
      await eventually(async () => (await waitingWorkers()) === 1, 'the first worker waits');
      let answer: boolean | undefined;
      const second = workOnNextEvent().then((found) => {
        answer = found;
      });
      const isDecided = async () => answer !== undefined || (await waitingWorkers()) === 2;
      await eventually(isDecided, 'the second worker answers or waits');
      assert.equal(answer, false, 'the second worker leaves the event to the first');
      await held.query('COMMIT');
      assert.equal(await first, true);
      await second;
    } finally {
      await held.end();
    }
    assert.deepEqual([await released(), await undone()], [1, 0]);
  });

  it('releases nothing for another amount, a failure or a test', async (test) => {
    const error = test.mock.method(console, 'error', () => {});
    const { resource } = event;
    await storeEvent({ ...event, id: crypto.randomUUID(), resource: { ...resource, amount: 9.9 } });
    await storeEvent({
      ...event,
      id: crypto.randomUUID(),
      eventType: 'PAYMENT-FAILED',
      resource: { ...resource, status: 'FAILED' },
    });
    await storeEvent({ ...event, id: crypto.randomUUID(), test: true });
    while (await workOnNextEvent());
    assert.deepEqual([await released(), await undone()], [0, 0]);
    assert.equal(error.mock.callCount(), 1, 'a person hears of the other amount');
  });

  it('works on the event again when the work was interrupted', async () => {
    await storeEvent(event);
    await database.sql('ALTER TABLE orders RENAME TO orders_away');
    await assert.rejects(workOnNextEvent());
    await database.sql('ALTER TABLE orders_away RENAME TO orders');
    assert.deepEqual([await released(), await undone()], [0, 1]);
    assert.equal(await workOnNextEvent(), true);
    assert.deepEqual([await released(), await undone()], [1, 0]);
  });
});
