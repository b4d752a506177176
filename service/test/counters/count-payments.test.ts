import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countPayments } from '#counters/count-payments.ts';
import { isHistoryCounted } from '#counters/counters-store.ts';
import { countPage, type Source } from '#counters/counting-store.ts';
import type { Database, Executor, Statement } from '#database/database.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { insertTimelineNotes } from '#payment-requests/timeline/timeline-store.ts';
import { assertEqualsTables, countAll, ZONE } from '../support/counters/counted.ts';
import { eventually } from '../support/eventually.ts';
import { entryOf, writeEntries } from '../support/ledger/ledger-entries.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import { planNodes } from '../support/plan-nodes.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

let service: TestService;
let merchants: readonly TestMerchant[];

before(async () => {
  // Without loops: only the tests count.
  service = await startTestService({ roles: ['api'], settings: { TIME_ZONE: ZONE } });
  merchants = [await service.createMerchant(), await service.createMerchant()];
});
after(() => service?.stop());

const count = (rows?: number) => countAll(service.database, service.database.db, rows);
const note = (id: string, step: string | null, at = service.clock.now()) => ({
  paymentRequestId: id,
  type: step ? ('PAYER_STEP' as const) : ('LINK_OPENED' as const),
  occurredAt: at,
  details: step ? { step } : {},
  requestId: null,
  most: 20,
});

/** Payment requests of both merchants with every outcome, steps of payers, and money. */
async function happen(): Promise<string[]> {
  const ids: string[] = [];
  for (const merchant of merchants) {
    const calls = paymentRequestCalls(service, merchant);
    for (const outcome of [null, 'PAID', 'FAILED', 'CANCELLED', 'PAID', 'PAID_LATE']) {
      const { id } = (await calls.create()).json;
      ids.push(id);
      await service.advance(30);
      if (outcome === 'CANCELLED' || outcome === 'PAID_LATE') await calls.cancel(id);
      if (outcome && outcome !== 'CANCELLED') {
        const { status, text } = await calls.simulate(id, {
          outcome: outcome.replace('_LATE', ''),
        });
        assert.ok(status < 300, text);
      }
      await insertTimelineNotes(service.database.db, [note(id, null), note(id, null)]);
      await insertTimelineNotes(service.database.db, [
        note(id, 'INSTITUTION_CHOSEN'),
        note(id, 'SIGN_IN_FAILED'),
        note(id, 'SIGNED_IN'),
        note(id, outcome?.startsWith('PAID') ? 'CONFIRMED' : 'TRANSFER_SENT'),
        note(id, 'CONFIRMED'),
      ]);
    }
    await writeEntries(service, [
      entryOf(merchant, { createdAt: service.clock.now() }),
      entryOf(merchant, { type: 'RETURN', amountCents: -400, createdAt: service.clock.now() }),
      entryOf({ merchantId: null as never }, { type: 'UNMATCHED', createdAt: service.clock.now() }),
    ]);
  }
  return ids;
}

const first = () => merchants[0] as TestMerchant;

const INSERT_EVENT = {
  name: '',
  text: `INSERT INTO payment_request_moves
           (payment_request_id, position, status, cause, occurred_at)
         VALUES ($1, $2, $3, 'PAYMENT_REFUSED', $4)`,
};

/**
 * Puts all changes that are not counted yet, creations and later ones, into one transaction; the
 * last payment request comes first in the index then.
 */
const JOIN_TRANSACTIONS = `
  DO $$ DECLARE request uuid; BEGIN
    UPDATE payment_request_moves SET transaction_id = pg_current_xact_id()
    WHERE transaction_id > (SELECT event_transaction FROM payment_counter_progress);
    FOR request IN SELECT id FROM payment_requests
      WHERE creation_transaction > (SELECT event_transaction FROM payment_counter_progress)
      ORDER BY id DESC
    LOOP
      UPDATE payment_requests SET creation_transaction = pg_current_xact_id() WHERE id = request;
    END LOOP;
  END $$`;

/** Creates a payment request of the first merchant; the last digits are those of its id. */
const CREATE_ROW = (number: number) => `
  INSERT INTO payment_requests (id, merchant_id, amount_cents, type, payer_name, payer_email,
    short_code, created_at, expires_at)
  VALUES ('01900000-0000-7000-8000-0000000000${number}', '${first().merchantId}', 100, 'ECOMM',
    'Ada', 'ada@example.com', 'waitingToCount${number}', service_now(),
    service_now() + interval '1 day')`;

/** The rows that a counting statement reads from a table, without changing anything. */
async function rowsRead(source: Source, table: string, rows: number): Promise<number> {
  let read = 0;
  const { db } = service.database;
  const explaining = (tx: Executor): Executor => ({
    async query<Row>({ text }: Statement, values?: readonly unknown[]) {
      const explain = { name: '', text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}` };
      const nodes = planNodes(await tx.query(explain, values));
      for (const node of nodes.filter((each) => each['Relation Name'] === table)) {
        read += node['Actual Rows'];
      }
      return [] as Row[];
    },
  });
  const undone = new Error('undone');
  await assert.rejects(
    db.transaction(async (tx) => {
      await countPage(explaining(tx), source, { version: 1, rows });
      throw undone;
    }),
    undone,
  );
  return read;
}

const TAKE_NUMBER = { name: '', text: 'SELECT pg_current_xact_id()' };
const SUM_OPENED = 'SELECT sum(opened) AS opened FROM payment_counters';

/** A transaction that has written and ends when the test says so. */
async function hold(
  write: (tx: Executor) => Promise<unknown>,
  writeLast: (tx: Executor) => Promise<unknown> = async () => {},
) {
  const written = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const over = service.database.db.transaction(async (tx) => {
    await write(tx);
    written.resolve();
    await release.promise;
    await writeLast(tx);
  });
  await Promise.race([written.promise, over]);
  return async () => {
    release.resolve();
    await over;
  };
}

/**
 * Counts in a transaction whose session ends before the n-th statement, or before the COMMIT where
 * there are fewer. @returns whether it was the COMMIT
 */
async function countAndDie(nth: number): Promise<boolean> {
  const die = { name: '', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };
  let statements = 0;
  const dying: Pick<Database, 'transaction'> = {
    transaction: (work) =>
      service.database.db.transaction(async (tx) => {
        const result = await work({
          async query(statement, values) {
            statements += 1;
            if (statements === nth) await tx.query(die);
            return tx.query(statement, values);
          },
        });
        await tx.query(die);
        return result;
      }),
  };
  await assert.rejects(countPayments({ db: dying, rows: 3 }));
  return statements < nth;
}

describe('the counters of payments', () => {
  it('equal a count from the tables with pages of any size', async () => {
    await happen();
    await count(3);
    await assertEqualsTables(service.database);
    await happen();
    await count(2_000);
    await assertEqualsTables(service.database);
  });

  it('equal that count where one transaction has more changes than a page', async () => {
    await count();
    const calls = paymentRequestCalls(service, first());
    for (let number = 0; number < 8; number += 1) {
      const { id } = (await calls.create()).json;
      if (number % 2 === 0) await calls.cancel(id);
    }
    await service.database.sql(JOIN_TRANSACTIONS);
    await count(3);
    await assertEqualsTables(service.database);
  });

  it('read a page, and nothing behind the last transaction of the page', async () => {
    await count();
    for (let number = 10; number < 40; number += 1) await service.database.sql(CREATE_ROW(number));
    await eventually(async () => (await rowsRead('events', 'payment_requests', 100)) >= 30);
    assert.equal(await rowsRead('events', 'payment_requests', 10), 10 + 1);
    await count();
    await assertEqualsTables(service.database);
  });

  it('count what commits late, once', async () => {
    const [id = ''] = await happen();
    await count();
    const createdAt = service.clock.now();
    const commitLate = await hold(async (tx) => {
      await insertTimelineNotes(tx, [note(id, 'DECLINED'), note(id, 'SIGNED_IN')]);
      await tx.query(INSERT_EVENT, [id, 8, 'FAILED', createdAt]);
      await insertLedgerEntries(tx, [entryOf(first(), { createdAt })]);
    });
    // All of these have greater numbers than the open transaction.
    await happen();
    await writeEntries(service, [entryOf(first(), { createdAt })]);
    const { db } = service.database;
    while (await countPayments({ db, rows: 3 }));
    await commitLate();
    await count();
    await assertEqualsTables(service.database);
  });

  it('take the first note of a step, also where another commits before it', async () => {
    const { id } = (await paymentRequestCalls(service, first()).create()).json;
    await count();
    const [row] = await service.database.sql<{ opened: string }>(SUM_OPENED);
    const before = Number(row?.opened);
    const opened = (tx: Executor) => insertTimelineNotes(tx, [note(id, null)]);
    // The older transaction writes after the younger one, and commits before it.
    const older = await hold((tx) => tx.query(TAKE_NUMBER), opened);
    const commitYounger = await hold(opened);
    await older();
    await eventually(async () => {
      await countPayments({ db: service.database.db });
      const [row] = await service.database.sql<{ opened: string }>(SUM_OPENED);
      return Number(row?.opened) > before;
    }, 'the count of the older transaction');
    await commitYounger();
    await count(1);
    await assertEqualsTables(service.database);
  });

  it('count once where a process dies at any statement or before its commit', async () => {
    await happen();
    for (let statements = 1; ; statements += 1) {
      // Fewer statements than the process survives: it dies at the COMMIT.
      const isOver = await countAndDie(statements);
      if (isOver) break;
      assert.ok(statements < 20);
    }
    await count();
    await assertEqualsTables(service.database);
  });

  it('count once where several processes count at once while more is written', async () => {
    const { db } = service.database;
    let isWriting = true;
    const counting = [1, 2, 3, 4].map(async () => {
      while (isWriting) await countPayments({ db, rows: 3 });
    });
    await happen();
    isWriting = false;
    await Promise.all(counting);
    await count();
    await assertEqualsTables(service.database);
  });

  it('count the rows of a restored dump once, while new ones come', async () => {
    const { sql, db } = service.database;
    const [before = ''] = await happen();
    await sql('TRUNCATE payment_counters, payment_counter_times, payment_counter_versions');
    await sql('DELETE FROM payment_counter_progress');
    // As docs/operations/backup.md prepares the dump.
    await sql("UPDATE payment_request_moves SET transaction_id = '0'");
    await sql("UPDATE payment_requests SET creation_transaction = '0'");
    await sql("UPDATE payment_request_timeline SET transaction_id = '0'");
    await sql('INSERT INTO payment_counter_progress DEFAULT VALUES');
    await countPayments({ db, rows: 3 });
    await insertTimelineNotes(db, [note(before, null), note(before, 'CONFIRMED')]);
    await happen();
    await count();
    await assertEqualsTables(service.database);
    assert.equal(await isHistoryCounted(db), true);
  });
});
