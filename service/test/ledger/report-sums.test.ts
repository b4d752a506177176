import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { startOfDate } from '#ledger/model/day.ts';
import { ENTRY_TYPES, type EntryType, type NewLedgerEntry } from '#ledger/model/entry.ts';
import { makeReport } from '#ledger/report/make-report.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { entryOf, untilAllInLedger, writeEntries } from '../support/ledger/ledger-entries.ts';

const TIME_ZONE = 'America/Toronto';
const DATES = ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10'];
/** Each example writes a ledger of its own and asks for each day. */
const RUNS = 15;

let database: TestDatabase;
let merchants = 0;

before(async () => {
  database = await createTestDatabase('sandbox', new Date('2026-03-01T12:00:00Z'));
});
after(() => database?.drop());

const entries = fc.array(
  fc.record({
    type: fc.constantFrom(...(Object.keys(ENTRY_TYPES) as EntryType[])),
    amountCents: fc.integer({ min: -99_999, max: 99_999 }).filter((cents) => cents !== 0),
    currency: fc.constantFrom('CAD', 'CAD', 'EUR'),
    bookingDate: fc.option(fc.constantFrom(...DATES)),
    createdAt: fc.date({
      min: new Date('2026-03-06T00:00:00Z'),
      max: new Date('2026-03-10T23:00:00Z'),
      noInvalidDate: true,
    }),
    /** Which transaction writes it. */
    batch: fc.nat(3),
  }),
  { maxLength: 30 },
);

type Drawn = ReturnType<typeof entryOf>;

/** The day of an entry, found by other means than the service's. */
function dayOf({ bookingDate, createdAt }: NewLedgerEntry): string {
  return bookingDate ?? createdAt.toLocaleDateString('sv', { timeZone: TIME_ZONE });
}

const sumOf = (of: readonly NewLedgerEntry[], currency = 'CAD') =>
  of.reduce((sum, each) => (each.currency === currency ? sum + each.amountCents : sum), 0);

const reportOf = (merchantId: string, date: string, since?: string) =>
  makeReport({ db: database.db, timeZone: TIME_ZONE, currency: 'CAD' }, merchantId, {
    date,
    since,
  });

/** Writes entries of a new merchant, and gives a report that counts all of them. */
async function writeAll(drawn: readonly (Drawn & { batch: number })[]) {
  for (const batch of [0, 1, 2, 3]) {
    const part = drawn.filter((each) => each.batch === batch);
    if (part.length > 0) await writeEntries({ database }, part);
  }
  await untilAllInLedger(database);
}

async function newMerchant(): Promise<string> {
  merchants += 1;
  const id = `mer_report_${merchants}`;
  await database.sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
       signing_secret_encrypted) VALUES ($1, $1, 'x', '', '')`,
    [id],
  );
  return id;
}

describe('the sums of the reconciliation report', () => {
  it('equal the sums of the ledger, for every day and every ledger', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (random) => {
        const merchantId = await newMerchant();
        const drawn = random.map((each) => ({ ...entryOf({ merchantId }, each), ...each }));
        await writeAll(drawn);
        // The first instant that is drawn belongs to the day before, in this time zone.
        let closing = sumOf(drawn.filter((each) => dayOf(each) < '2026-03-06'));
        for (const date of DATES) {
          const report = await reportOf(merchantId, date);
          const own = report.sums[0];
          assert.equal(own?.currency, 'CAD');
          assert.equal(own.openingCents, closing, `opening sum of ${date}`);
          const ofDay = drawn.filter((each) => dayOf(each) === date);
          assert.equal(own.closingCents, closing + sumOf(ofDay), `closing sum of ${date}`);
          for (const { type, currency, count, amountCents } of report.totals) {
            const same = ofDay.filter((each) => each.type === type && each.currency === currency);
            assert.equal(count, same.length);
            assert.equal(amountCents, sumOf(same, currency));
          }
          assert.equal(
            report.totals.reduce((sum, { count }) => sum + count, 0),
            ofDay.length,
          );
          closing = own.closingCents;
        }
        assert.equal(closing, sumOf(drawn.filter((each) => dayOf(each) <= '2026-03-10')));
      }),
      { numRuns: RUNS },
    );
  });

  it('differ between two reports by the entries that the second shows', async () => {
    await fc.assert(
      fc.asyncProperty(entries, entries, async (random, more) => {
        const merchantId = await newMerchant();
        const drawn = random.map((each) => ({ ...entryOf({ merchantId }, each), ...each }));
        const late = more.map((each) => ({ ...entryOf({ merchantId }, each), ...each }));
        await writeAll(drawn);
        const first = await reportOf(merchantId, '2026-03-08');
        for (const each of late) await writeEntries({ database }, [each]);
        // Other tests' transactions may hold back some of the late entries at any report.
        const second = await reportOf(merchantId, '2026-03-08', first.nextCursor);
        const shown = second.since?.data ?? [];
        const counted = shown.filter((each) => dayOf(each) <= '2026-03-08');
        const [before, after] = [first.sums[0], second.sums[0]];
        assert.equal((after?.closingCents ?? 0) - (before?.closingCents ?? 0), sumOf(counted));
        assert.ok(shown.length <= late.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('are told up to the last entry of a transaction whose place has one digit more', async () => {
    const merchantId = await newMerchant();
    // The places of the three begin below and end above 10 to the 12th (commit_position()).
    await database.sql("SELECT setval('commit_positions', 953672)");
    await writeEntries(
      { database },
      [1, 2, 3].map(() => entryOf({ merchantId })),
    );
    await untilAllInLedger(database);
    const { nextCursor } = await reportOf(merchantId, '2026-03-08');
    const next = await reportOf(merchantId, '2026-03-08', nextCursor);
    assert.deepEqual(next.since?.data, []);
  });

  it('count the hour that a change of the clocks skips or repeats once', () => {
    const night = startOfDate('2026-03-08', TIME_ZONE);
    const next = startOfDate('2026-03-09', TIME_ZONE);
    assert.equal(next.getTime() - night.getTime(), 23 * 3_600_000);
  });
});
