import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SERVER_CHECKS } from '#commands/doctor/server-checks.ts';
import { readDatabaseClock } from '#commands/doctor/server-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** Far beyond the limit of 2 s, so that a slow machine changes nothing. */
const MINUTE_MS = 60_000;

describe('doctor’s check of the clock', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase('sandbox', new Date());
  });
  after(() => test?.drop());

  async function checkBeside(offsetMs: number) {
    const database = await readDatabaseClock(test.db);
    const clock = createFakeClock(new Date(database.getTime() + offsetMs));
    return SERVER_CHECKS.clock({ db: test.db, clock });
  }

  it('finds a database whose clock is behind this machine’s', async () => {
    const verdict = await checkBeside(MINUTE_MS);
    assert.equal(verdict.ok, false);
    assert.match(verdict.message, /behind this machine's\. Synchronise both \(NTP\)\./);
  });

  it('finds a database whose clock is ahead of this machine’s', async () => {
    const verdict = await checkBeside(-MINUTE_MS);
    assert.equal(verdict.ok, false);
    assert.match(verdict.message, /ahead of this machine's\. Synchronise both \(NTP\)\./);
  });
});
