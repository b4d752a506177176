import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import type { ChangeStatusDeps, StatusChange } from '#payment-requests/status/change-status.ts';
import { expirePaymentRequests } from '#payment-requests/status/expire-overdue.ts';
import { eventually } from '../support/eventually.ts';
import { insertDuePaymentRequests } from '../support/payment-requests/due.ts';
import {
  PUBLIC_SETTINGS,
  paymentRequestCalls,
} from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

const never = new AbortController().signal;

let service: TestService;
let merchant: TestMerchant;
let moves: StatusChange[];

before(async () => {
  // Without loops: the tests expire.
  service = await startTestService({ roles: ['api'] });
  merchant = await service.createMerchant({ webhookUrl: 'https://hooks.example/' });
});
after(() => service.stop());
beforeEach(async () => {
  moves = [];
  await service.database.sql(
    'TRUNCATE payment_requests, payment_request_moves, webhook_events CASCADE',
  );
});

function depsOn(db: Database): ChangeStatusDeps {
  return {
    db,
    clock: service.clock,
    settings: PUBLIC_SETTINGS,
    wakeSenders() {},
    onStatusChanged: (change) => moves.push(change),
    onCaseOpened() {},
  };
}

function due(count: number, { merchantId } = merchant): Promise<string[]> {
  const { database, clock } = service;
  return insertDuePaymentRequests(database, merchantId, { count, now: clock.now() });
}

/** Every payment request by what it is: status, events, webhook events, deliveries. */
async function shapes(): Promise<Record<string, number>> {
  const rows = await service.database.sql<{ shape: string; count: number }>(
    `SELECT concat_ws(' ', p.status, p.version, p.webhook_sequence,
              (SELECT string_agg(e.status, ',' ORDER BY e.position)
               FROM payment_request_events e WHERE e.payment_request_id = p.id),
              (SELECT string_agg(w.event_type || w.sequence, ',' ORDER BY w.sequence)
               FROM webhook_events w WHERE w.payment_request_id = p.id AND NOT w.is_test),
              (SELECT count(*) FROM webhook_deliveries d WHERE d.payment_request_id = p.id))
              AS shape, count(*)::int AS count
     FROM payment_requests p GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ shape, count }) => [shape, count]));
}

const OPEN = 'CREATED 1 0 CREATED 0';
const EXPIRED = 'EXPIRED 2 1 CREATED,EXPIRED PAYMENT-FAILED1 1';

/** Counts every statement of the database. */
function counting(db: Database): { readonly db: Database; readonly statements: string[] } {
  const statements: string[] = [];
  return {
    statements,
    db: {
      ...db,
      transaction: (work) =>
        db.transaction((tx) =>
          work({
            query(statement, values) {
              statements.push(statement.name);
              return tx.query(statement, values);
            },
          }),
        ),
    },
  };
}

describe('expiries that have passed', () => {
  it('are written in batches: as many statements for 200 as for one', async () => {
    for (const count of [1, 200]) {
      await due(count);
      const { db, statements } = counting(service.database.db);
      await expirePaymentRequests(depsOn(db), never);
      assert.deepEqual(statements, [
        'payment-request-lock-due-to-expire',
        'payment-request-find-many',
        'payment-request-save-moves',
        'webhook-enqueue',
      ]);
    }
    assert.deepEqual(await shapes(), { [EXPIRED]: 201 });
    assert.equal(moves.length, 201);
  });

  it('report whether more are due, and leave those that are not due', async () => {
    await due(250);
    const { sql } = service.database;
    await sql(
      `UPDATE payment_requests SET expires_at = $1::timestamptz + interval '1 ms'
       WHERE id IN (SELECT id FROM payment_requests LIMIT 10)`,
      [service.clock.now()],
    );
    const deps = depsOn(service.database.db);
    assert.equal(await expirePaymentRequests(deps, never), true);
    assert.equal(await expirePaymentRequests(deps, never), false);
    assert.equal(await expirePaymentRequests(deps, never), false);
    assert.deepEqual(await shapes(), { [OPEN]: 10, [EXPIRED]: 240 });
  });

  it('are written once by several processes side by side', async () => {
    await due(1_000);
    const others = [1, 2].map(() => connectDatabase({ url: service.database.url, poolSize: 1 }));
    const run = async (db: Database) => {
      while (await expirePaymentRequests(depsOn(db), never));
    };
    await Promise.all([service.database.db, ...others].map(run));
    // A run may have found the rest locked and ended; a last run shows that none is lost.
    await run(service.database.db);
    await Promise.all(others.map((db) => db.close()));
    assert.deepEqual(await shapes(), { [EXPIRED]: 1_000 });
    assert.equal(new Set(moves.map(({ id }) => id)).size, 1_000);
    assert.equal(moves.length, 1_000);
  });

  it('do not wait for a payment request that another transaction is changing', async () => {
    const [held] = await due(20);
    const { db, sql } = service.database;
    await db.transaction(async (tx) => {
      const lock = { name: '', text: 'SELECT FROM payment_requests WHERE id = $1 FOR UPDATE' };
      await tx.query(lock, [held]);
      const other = connectDatabase({ url: service.database.url, poolSize: 1 });
      await expirePaymentRequests(depsOn(other), never);
      await other.close();
      const open = await sql("SELECT id FROM payment_requests WHERE status = 'CREATED'");
      assert.deepEqual(open, [{ id: held }]);
    });
    await expirePaymentRequests(depsOn(db), never);
    assert.deepEqual(await shapes(), { [EXPIRED]: 20 });
  });

  it('are written without the one that fails, and the failure is thrown', async () => {
    const ids = await due(50);
    const { db, sql } = service.database;
    await sql(`CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS
               $$ BEGIN RAISE EXCEPTION 'this one is bad'; END $$`);
    await sql(`CREATE TRIGGER refuse_bad BEFORE UPDATE ON payment_requests FOR EACH ROW
               WHEN (old.id = '${ids[7]}') EXECUTE FUNCTION refuse_bad()`);
    try {
      await assert.rejects(expirePaymentRequests(depsOn(db), never), /this one is bad/);
      assert.deepEqual(await shapes(), { [OPEN]: 1, [EXPIRED]: 49 });
      assert.equal(moves.length, 49);
    } finally {
      await sql('DROP TRIGGER refuse_bad ON payment_requests');
      await sql('DROP FUNCTION refuse_bad');
    }
  });

  it('are exactly what was read before they were written', async () => {
    const ids = await due(30);
    const calls = paymentRequestCalls(service, merchant);
    const readAll = () =>
      Promise.all(
        ids.map(async (id) => {
          const { text, headers } = await calls.read(id);
          return [text, headers.get('etag')];
        }),
      );
    const judged = await readAll();
    await expirePaymentRequests(depsOn(service.database.db), never);
    assert.deepEqual(await readAll(), judged);
  });
});

describe('10,000 expiries due at once', () => {
  /** A payer or a shop notices a call that waits a second. */
  const LONGEST_CALL_MS = 1_000;
  /** A busy machine is slow at everything: a call may take this share of all the expiries. */
  const LONGEST_SHARE = 0.25;
  const CALLERS = 4;

  it('are all written while creations go on', async () => {
    // Without an address for webhooks, so that nothing is sent.
    const silent = await service.createMerchant();
    const calls = paymentRequestCalls(service, silent);
    await due(10_000, silent);
    const timers = [
      await startServiceBeside(service, { roles: ['background'] }),
      await startServiceBeside(service, { roles: ['background'] }),
    ];
    try {
      let isOver = false;
      const tookMs: number[] = [];
      const create = async () => {
        while (!isOver) {
          const startedMs = performance.now();
          await calls.create();
          tookMs.push(performance.now() - startedMs);
        }
      };
      const beganMs = performance.now();
      const creating = Promise.all(Array.from({ length: CALLERS }, create));
      await eventually(async () => {
        const [row] = await service.database.sql<{ open: boolean }>(
          `SELECT EXISTS (SELECT FROM payment_requests
                          WHERE status = 'CREATED' AND expires_at <= $1) AS open`,
          [service.clock.now()],
        );
        return row?.open === false;
      }, 'the last expiry').finally(() => {
        isOver = true;
      });
      await creating;
      const mostMs = Math.max(LONGEST_CALL_MS, (performance.now() - beganMs) * LONGEST_SHARE);
      const found = await shapes();
      const { [OPEN]: created, ...rest } = found;
      assert.equal(created, tookMs.length);
      assert.deepEqual(rest, { [EXPIRED.replace(/1$/, '0')]: 10_000 });
      assert.ok(tookMs.length > 50, `${tookMs.length} creations`);
      assert.ok(Math.max(...tookMs) < mostMs, `${Math.max(...tookMs)} ms of ${mostMs} ms`);
    } finally {
      await Promise.all(timers.map((timer) => timer.stop()));
    }
  });
});
