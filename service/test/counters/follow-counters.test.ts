import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { ALL_MERCHANTS_PAGE, followCounters } from '#counters/follow-counters.ts';
import type { Executor } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import { eventually } from '../support/eventually.ts';

describe('open overviews', () => {
  it('are looked up every 3 s, and send no statement while no page is open', async (t) => {
    mock.timers.enable({ apis: ['setInterval'] });
    t.after(() => mock.timers.reset());
    const asked: (readonly string[])[] = [];
    let version = 4;
    const db = {
      async query(_statement: unknown, [ids]: [readonly string[]]) {
        asked.push(ids);
        return ids.map((merchantId) => ({ merchantId, version }));
      },
    } as unknown as Executor;
    const pages = followCounters({ db, clock: systemClock });
    mock.timers.tick(30_000);
    assert.deepEqual(asked, []);
    const changes: string[] = [];
    await pages.follow('mer_1', 4, () => changes.push('mer_1'));
    await pages.follow(ALL_MERCHANTS_PAGE, 4, () => changes.push('all'));
    asked.length = 0;
    version = 5;
    mock.timers.tick(3_000);
    await eventually(async () => changes.length === 2, 'the change of both pages');
    assert.deepEqual(asked.flat().sort(), ['', 'mer_1']);
    assert.deepEqual(changes.sort(), ['all', 'mer_1']);
    pages.close();
  });
});
