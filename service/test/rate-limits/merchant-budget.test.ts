import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Database, DatabaseUnavailable } from '#database/database.ts';
import {
  createMerchantBudget,
  type MerchantBudget,
  type Spent,
} from '#rate-limits/merchant-budget.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';

let test: TestDatabase;
let clock: FakeClock;

before(async () => {
  clock = createFakeClock();
  test = await createTestDatabase('sandbox', clock.now());
});
after(() => test?.drop());
beforeEach(() => nextSecond());

async function nextSecond(): Promise<void> {
  clock.advance(1_000);
  await test.setNow(clock.now());
}

function processes(count: number, limit: number, db: Database = test.db): MerchantBudget[] {
  return Array.from({ length: count }, () =>
    createMerchantBudget({ db, clock, kind: 'writes', limit }),
  );
}

/** How many of the calls pass, each sent to the process of its number. */
async function countPassing(
  budgets: readonly MerchantBudget[],
  calls: readonly number[],
): Promise<number> {
  const spent = await Promise.all(
    calls.map((process) => budgets[process % budgets.length]?.spend('mer_1')),
  );
  return spent.filter((one) => one?.isAllowed).length;
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a merchant’s budget', () => {
  it('is exact in one process, counts down, and is whole again in the next second', async () => {
    for (const limit of [1, 7, 19, 20, 45]) {
      const [budget] = processes(1, limit);
      assert.ok(budget);
      for (let round = 0; round < 2; round++) {
        for (let left = limit - 1; left >= 0; left--) {
          const spent = await budget.spend('mer_1');
          assert.deepEqual(spent, {
            isAllowed: true,
            kind: 'writes',
            limit,
            remaining: left,
            resetSeconds: 1,
          });
        }
        const refused: Spent | null = await budget.spend('mer_1');
        assert.deepEqual([refused?.isAllowed, refused?.remaining], [false, 0]);
        await nextSecond();
      }
    }
  });

  it('is off at 0', async () => {
    const [budget] = processes(1, 0);
    assert.equal(await budget?.spend('mer_1'), null);
  });

  it('is had whole by a merchant whose calls all fall on one of several processes', async () => {
    const budgets = processes(4, 200);
    assert.equal(await countPassing(budgets, times(500).fill(2)), 200);
  });

  it('is never exceeded by several processes where it is small', async () => {
    for (const limit of [1, 5, 19]) {
      assert.equal(await countPassing(processes(4, limit), times(100)), limit);
      await nextSecond();
    }
  });

  it('holds to one lot a further process, in any mix', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.nat({ max: 3 }), { maxLength: 200 }),
        async (count, limit, calls) => {
          await nextSecond();
          const passed = await countPassing(processes(count, limit), calls);
          const lot = Math.floor(limit / 20);
          assert.ok(passed <= Math.min(calls.length, limit + (count - 1) * lot));
          assert.ok(passed >= Math.min(calls.length, limit - (count - 1) * lot));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('costs no statement for a few calls, few for many, and none beyond the limit', async () => {
    let statements = 0;
    const counting: Database = {
      ...test.db,
      query: (statement, values) => {
        statements += 1;
        return test.db.query(statement, values);
      },
    };
    const budgets = processes(1, 200, counting);
    assert.equal(await countPassing(budgets, times(10)), 10);
    assert.equal(statements, 0);
    assert.equal(await countPassing(budgets, times(500)), 190);
    assert.ok(statements <= 21, `${statements} statements`);
    statements = 0;
    assert.equal(await countPassing(budgets, times(500)), 0);
    assert.equal(statements, 0);
  });

  it('is whole again when the database’s clock was set back', async () => {
    assert.equal(await countPassing(processes(1, 5), times(9)), 5);
    await test.setNow(new Date(clock.now().getTime() - 3_600_000));
    assert.equal(await countPassing(processes(1, 5), times(9)), 5);
  });

  it('says that the database is away, to all who wait, and goes on after it', async () => {
    let isAway = true;
    const db: Database = {
      ...test.db,
      query: async (statement, values) => {
        if (isAway) throw new DatabaseUnavailable('away');
        return test.db.query(statement, values);
      },
    };
    const budgets = processes(1, 5, db);
    await Promise.all(
      times(3).map(() => assert.rejects(countPassing(budgets, [0]), DatabaseUnavailable)),
    );
    isAway = false;
    assert.equal(await countPassing(budgets, times(9)), 5);
  });
});
