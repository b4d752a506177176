import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Database, Executor } from '#database/database.ts';
import { sumDays } from '#ledger/day-sums/sum-days.ts';
import type { NewLedgerEntry } from '#ledger/model/entry.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import { pruneEntriesWithoutRequest } from '#ledger/retention/prune-entries-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { entryOf, untilAllInLedger, writeEntries } from '../support/ledger/ledger-entries.ts';
import { assertOpensRight } from '../support/ledger/sums-of-ledger.ts';
import { untilOlderTransactionsEnd } from '../support/until-older-transactions-end.ts';

/** Either side of UTC, on and off the full hour, and with a change of the clocks. */
const ZONES = ['America/Toronto', 'UTC', 'Asia/Kolkata', 'Pacific/Chatham', 'Pacific/Kiritimati'];
const DATES = ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10'];
const OWNERS = ['mer_a', 'mer_b', null];

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase('sandbox', new Date('2026-03-11T12:00:00Z'));
  await database.sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
       signing_secret_encrypted) SELECT id, id, id, '', '' FROM unnest($1::text[]) id`,
    [OWNERS.filter((owner) => owner !== null)],
  );
});
after(() => database?.drop());

const entry = fc
  .record({
    owner: fc.constantFrom(...OWNERS),
    amountCents: fc.integer({ min: -99_999, max: 99_999 }).filter((cents) => cents !== 0),
    currency: fc.constantFrom('CAD', 'CAD', 'EUR'),
    bookingDate: fc.option(fc.constantFrom(...DATES)),
    createdAt: fc.oneof(
      fc.constantFrom(...DATES.map((date) => new Date(`${date}T00:00:00Z`))),
      fc.constantFrom(...DATES.map((date) => new Date(`${date}T23:59:59.999Z`))),
      fc.date({
        min: new Date('2026-03-06T00:00:00Z'),
        max: new Date('2026-03-10T23:00:00Z'),
        noInvalidDate: true,
      }),
    ),
  })
  .map(({ owner, ...members }) =>
    entryOf({ merchantId: owner as string }, { type: 'ADJUSTMENT', ...members }),
  );
const entries = fc.array(entry, { minLength: 1, maxLength: 5 });
const step = fc.oneof(
  fc.record({ act: fc.constant('write' as const), entries }),
  fc.record({ act: fc.constant('hold' as const), entries }),
  fc.record({ act: fc.constant('commit' as const) }),
  fc.record({ act: fc.constant('roll back' as const) }),
  fc.record({ act: fc.constant('sum' as const), rows: fc.integer({ min: 1, max: 30 }) }),
);
const asked = fc.record({
  owner: fc.constantFrom(...OWNERS),
  date: fc.constantFrom(...DATES, '2026-03-11'),
  timeZone: fc.constantFrom(...ZONES),
});

const WEEK = new Date('2026-03-08T03:30:00Z');
const some = (members: Partial<NewLedgerEntry> = {}) =>
  OWNERS.map((owner) =>
    entryOf({ merchantId: owner as string }, { type: 'ADJUSTMENT', createdAt: WEEK, ...members }),
  );

/** A transaction that has written entries, and ends when the test says so. */
async function hold(held: readonly NewLedgerEntry[]): Promise<(doesCommit: boolean) => unknown> {
  const written = Promise.withResolvers<void>();
  const end = Promise.withResolvers<boolean>();
  const over = database.db
    .transaction(async (tx) => {
      await insertLedgerEntries(tx, held);
      written.resolve();
      if (!(await end.promise)) throw new Error('rolled back');
    })
    .catch((error: Error) => assert.equal(error.message, 'rolled back'));
  await Promise.race([written.promise, over]);
  return (doesCommit) => {
    end.resolve(doesCommit);
    return over;
  };
}

async function assertAllRight(): Promise<void> {
  for (const owner of OWNERS) {
    for (const timeZone of ['America/Toronto', 'Asia/Kolkata']) {
      await assertOpensRight(database, { owner, date: '2026-03-08', timeZone });
      await assertOpensRight(database, { owner, date: '2026-03-11', timeZone });
    }
  }
}

const AT_END = `
  SELECT NOT EXISTS (
    SELECT FROM ledger_entries e, ledger_day_sums_progress p
    WHERE (e.transaction_id, e.position) > (p.transaction_id, p.position)) AS "isAtEnd"`;

/** Sums until nothing is left; other databases' transactions may hold the sums back. */
async function sumAll(rows = 3): Promise<void> {
  await eventually(async () => {
    while (await sumDays({ db: database.db, rows }));
    return (await database.sql<{ isAtEnd: boolean }>(AT_END))[0]?.isAtEnd ?? false;
  }, 'the last entry in the sums');
}

/** Forgets the sums, as right after the upgrade. */
async function forget(): Promise<void> {
  await database.sql('DELETE FROM ledger_day_sums');
  await database.sql(`UPDATE ledger_day_sums_progress SET transaction_id = '0', position = 0`);
}

/** Gives entries the number of another transaction, which the ledger refuses. */
async function renumber(transactionId: string, where: string): Promise<void> {
  const { sql } = database;
  await sql('ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_append_only');
  await sql(`UPDATE ledger_entries SET transaction_id = '${transactionId}' WHERE ${where}`);
  await sql('ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_append_only');
}

/**
 * Sums in a transaction whose session ends before the n-th statement, or before the COMMIT where
 * there are fewer. @returns whether it was the COMMIT
 */
async function sumAndDie(nth: number): Promise<boolean> {
  const die = { name: '', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };
  let statements = 0;
  const dying: Pick<Database, 'transaction'> = {
    transaction: (work) =>
      database.db.transaction(async (tx) => {
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
  await assert.rejects(sumDays({ db: dying, rows: 3 }));
  return statements < nth;
}

describe('the opening sums of reports', () => {
  it('equal the sums over all entries, with late commits and sums at any place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, asked, asked), { maxLength: 25 }), async (steps) => {
        const held: ((doesCommit: boolean) => unknown)[] = [];
        try {
          for (const [next, ...questions] of steps) {
            if (next.act === 'write') await writeEntries({ database }, next.entries);
            // Each takes a connection of the pool.
            else if (next.act === 'hold' && held.length < 3) held.push(await hold(next.entries));
            else if (next.act === 'commit') await held.shift()?.(true);
            else if (next.act === 'roll back') await held.pop()?.(false);
            else if (next.act === 'sum') await sumDays({ db: database.db, rows: next.rows });
            for (const each of questions) await assertOpensRight(database, each);
          }
        } finally {
          for (const end of held) await end(true);
        }
      }),
      { numRuns: 15 },
    );
    await sumAll();
    await assertAllRight();
  });

  it('count an entry once that commits after later transactions are summed', async () => {
    await sumAll(500);
    const end = await hold(some());
    await writeEntries({ database }, some());
    while (await sumDays({ db: database.db }));
    await assertAllRight();
    await end(true);
    await assertAllRight();
    await sumAll();
    await assertAllRight();
  });

  it('leave out what is written and summed after the horizon of the report', async () => {
    const asked = { owner: 'mer_a', date: '2026-03-11', timeZone: 'UTC' };
    const meanwhile = async () => {
      await writeEntries({ database }, some());
      await sumAll(500);
    };
    await assertOpensRight(database, { ...asked, meanwhile });
  });

  it('come from the sums of days, and not from all entries', async () => {
    await writeEntries({ database }, some());
    await sumAll();
    const asked = { owner: 'mer_a', date: '2026-03-11', timeZone: 'UTC' };
    await assertOpensRight(database, asked);
    await database.sql('UPDATE ledger_day_sums SET amount_cents = amount_cents + 1');
    await assert.rejects(assertOpensRight(database, asked), assert.AssertionError);
    await forget();
    await assertOpensRight(database, asked);
  });

  it('are right at each moment after the upgrade, while entries of before are summed', async () => {
    await forget();
    await assertAllRight();
    await untilOlderTransactionsEnd(database);
    let turns = 0;
    while (await sumDays({ db: database.db, rows: 20 })) {
      turns += 1;
      await writeEntries({ database }, turns < 5 ? some() : []);
      await untilOlderTransactionsEnd(database);
      for (const owner of OWNERS) {
        await assertOpensRight(database, { owner, date: '2026-03-09', timeZone: 'Asia/Kolkata' });
      }
    }
    assert.ok(turns > 1);
  });

  it('count an entry once where a process dies at any statement or before its commit', async () => {
    for (let statements = 1; ; statements += 1) {
      await forget();
      const isOver = await sumAndDie(statements);
      await assertAllRight();
      if (isOver) break;
      assert.ok(statements < 20);
    }
    await sumAll();
    await assertAllRight();
  });

  it('count an entry once where several processes sum while reports are made', async () => {
    await forget();
    let isWriting = true;
    const summing = [1, 2, 3].map(async () => {
      while (isWriting) await sumDays({ db: database.db, rows: 3 });
    });
    for (let turn = 0; turn < 20; turn += 1) {
      await writeEntries({ database }, some());
      for (const owner of OWNERS) {
        await assertOpensRight(database, { owner, date: '2026-03-09', timeZone: 'UTC' });
      }
    }
    isWriting = false;
    await Promise.all(summing);
    await sumAll();
    await assertAllRight();
  });

  it('are right when the sums move on between two statements of a report', async () => {
    await forget();
    const { db } = database;
    await sumDays({ db, rows: 1 });
    // More than the report tries.
    const restless: Executor = {
      async query(statement, values) {
        if (statement.text.includes('isOfPlace')) await sumDays({ db, rows: 1 });
        return db.query(statement, values);
      },
    };
    await assertOpensRight(
      { ...database, db: { ...db, query: restless.query } },
      { owner: 'mer_a', date: '2026-03-11', timeZone: 'UTC' },
    );
  });

  it('are right after a restore on another server, whose transactions have other numbers', async () => {
    await sumAll();
    await renumber('3', 'true');
    await assertAllRight();
    await writeEntries({ database }, some());
    // That server's number of the new entries is below the place of the sums.
    await renumber('4', `transaction_id > '3'`);
    await assertAllRight();
    await sumAll(500);
    await assertAllRight();
  });

  it('use no sums of transactions that the server has not begun', async () => {
    await writeEntries({ database }, some());
    await sumAll(500);
    // The ledger of another server, whose last entry has a number that this one has not reached.
    const ahead = '9000000000000000000';
    const place = `(SELECT transaction_id, position FROM ledger_day_sums_progress)`;
    await renumber(ahead, `(transaction_id, position) = ${place}`);
    await database.sql(`UPDATE ledger_day_sums_progress SET transaction_id = '${ahead}'`);
    await assertAllRight();
    await writeEntries({ database }, some());
    while (await sumDays({ db: database.db }));
    await assertAllRight();
    const [row] = await database.sql<{ isReached: boolean }>(
      `SELECT transaction_id < '${ahead}' AS "isReached" FROM ledger_day_sums_progress`,
    );
    assert.equal(row?.isReached, true);
  });
});

describe('the opening sums of reports, beside retention', () => {
  const PRUNE_ZONE = 'America/Toronto';
  const prune = fc.record({
    act: fc.constant('prune' as const),
    horizon: fc.constantFrom(...DATES.map((date) => new Date(`${date}T13:00:00Z`))),
    limit: fc.integer({ min: 1, max: 40 }),
  });
  const act = fc.oneof(
    fc.record({ act: fc.constant('write' as const), entries }),
    fc.record({ act: fc.constant('sum' as const), rows: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ act: fc.constant('forget' as const) }),
    prune,
  );

  it('equal the sums over all entries, deleted ones too, at any place of the sums', async () => {
    await database.setNow(new Date('2027-04-01T12:00:00Z'));
    // Other tests leave entries of transactions that the server has not begun.
    await database.sql('TRUNCATE ledger_entries');
    await forget();
    await database.sql('CREATE TABLE all_entries (LIKE ledger_entries, PRIMARY KEY (id))');
    const copy = () =>
      database.sql('INSERT INTO all_entries SELECT * FROM ledger_entries ON CONFLICT DO NOTHING');
    let deleted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(act, asked), { maxLength: 20 }), async (steps) => {
        for (const [next, question] of steps) {
          if (next.act === 'write') await writeEntries({ database }, next.entries);
          else if (next.act === 'sum') await sumDays({ db: database.db, rows: next.rows });
          else if (next.act === 'forget') await forget();
          await copy();
          if (next.act === 'prune') {
            // Retention deletes no entry that a report may leave out: they are years old.
            await untilAllInLedger(database);
            deleted += await database.db.transaction((tx) =>
              pruneEntriesWithoutRequest(tx, next.horizon, PRUNE_ZONE, next.limit),
            );
          }
          const { owner, date } = question;
          const how = { owner, date, timeZone: PRUNE_ZONE, copy: 'all_entries' };
          await assertOpensRight(database, how);
        }
      }),
      { numRuns: 15 },
    );
    assert.ok(deleted > 0);
    await sumAll();
    const left = await database.sql(
      `SELECT FROM ledger_day_sums s FULL JOIN (
         SELECT coalesce(merchant_id, '') AS merchant_id, booking_date IS NOT NULL AS is_booked,
           coalesce(booking_date, (created_at AT TIME ZONE 'UTC')::date) AS day, currency,
           sum(amount_cents) AS cents
         FROM ledger_entries GROUP BY 1, 2, 3, 4) e USING (merchant_id, is_booked, day, currency)
       WHERE coalesce(s.amount_cents, 0) <> coalesce(e.cents, 0)`,
    );
    assert.deepEqual(left, [], 'the sums of days hold the entries that are left');
  });
});
