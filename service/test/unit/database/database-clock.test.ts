import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createDatabaseClock } from '#lib/clock.ts';
import { compareClocks } from '#telemetry/health/compare-clocks.ts';

/** A host whose clocks the test moves, and a database that answers after a while. */
function hostOf(hostMs: number) {
  const at = { hostMs, steadyMs: 1_000 };
  const clock = createDatabaseClock({ hostMs: () => at.hostMs, steadyMs: () => at.steadyMs });
  const pass = (milliseconds: number) => {
    at.hostMs += milliseconds;
    at.steadyMs += milliseconds;
  };
  /** The statement travels for `there`, the answer for `back`. */
  const database = (nowMs: number, travels: readonly { there: number; back: number }[]) => {
    const left = [...travels];
    let databaseMs = nowMs;
    return {
      async query<Row>() {
        const { there = 0, back = 0 } = left.shift() ?? {};
        pass(there);
        databaseMs += there;
        const row = { nowMs: databaseMs };
        pass(back);
        databaseMs += back;
        return [row] as Row[];
      },
      now: () => databaseMs,
    };
  };
  return { at, clock, pass, database };
}

const HOUR_MS = 3_600_000;

describe('a clock that follows the database’s', () => {
  it('is the host’s before the first comparison, the database’s after it', async () => {
    const { clock, pass, database } = hostOf(2 * HOUR_MS);
    assert.equal(clock.now().getTime(), 2 * HOUR_MS);
    const db = database(0, [{ there: 5, back: 5 }]);
    assert.equal(await compareClocks(db, clock), 2 * HOUR_MS);
    assert.equal(clock.now().getTime(), db.now());
    pass(60_000);
    assert.equal(clock.now().getTime(), db.now() + 60_000);
  });

  it('takes no step that the host’s clock takes between two comparisons', async () => {
    const { at, clock, pass, database } = hostOf(0);
    await compareClocks(database(0, []), clock);
    at.hostMs += HOUR_MS;
    pass(1_000);
    assert.equal(clock.now().getTime(), 1_000);
    assert.equal(await compareClocks(database(1_000, []), clock), HOUR_MS);
    assert.equal(clock.now().getTime(), 1_000, 'and not twice after the next one');
  });

  it('is at most half a round trip off, and goes by the shorter of two', async () => {
    const { clock, database } = hostOf(0);
    const db = database(0, [
      { there: 900, back: 0 },
      { there: 40, back: 0 },
    ]);
    await compareClocks(db, clock);
    assert.equal(clock.now().getTime() - db.now(), 20);
  });

  it('learns nothing from a database that answers too slowly', async () => {
    const { clock, database } = hostOf(7);
    const slow = { there: 0, back: 2_001 };
    await assert.rejects(compareClocks(database(HOUR_MS, [slow, slow]), clock), /too slowly/);
    assert.equal(clock.now().getTime(), clock.hostNow().getTime());
  });
});
