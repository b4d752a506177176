import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import type { AttemptDeps } from '#webhooks/sending/attempt-delivery.ts';
import { claimAndSend, startSending } from '#webhooks/sending/deliver-webhooks.ts';

/** The walk's position is the last value of the claim. */
const PLACE_OF_POSITION = 15;

it('claims page by page to the end, and all pages again behind a claim that failed', async () => {
  const ends = new Map<unknown, string | null>([
    ['', 'b'],
    ['b', 'd'],
    ['d', null],
  ]);
  let asked: unknown[] = [];
  let failsAt: string | null = null;
  const db = {
    async query(_, values = []) {
      const position = values[PLACE_OF_POSITION];
      asked.push(position);
      if (position === failsAt) throw new Error('no answer');
      return [{ id: null, walkedTo: ends.get(position) }];
    },
  } as Pick<Database, 'query'> as Database;
  const sending = startSending({} as AttemptDeps, () => {});
  const claim = () =>
    claimAndSend(
      { db, clock: systemClock, metrics: { leaseExpired() {} } as never },
      sending,
      new AbortController().signal,
    );

  assert.equal(await claim(), false);
  assert.deepEqual(asked, ['', 'b', 'd']);

  failsAt = 'b';
  await assert.rejects(claim());
  failsAt = null;
  asked = [];
  assert.equal(await claim(), false);
  assert.deepEqual(asked, ['b', 'd', '', 'b', 'd'], 'what fell due meanwhile may be at the first');
});
