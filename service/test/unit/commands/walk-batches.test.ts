import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailable } from '#database/database.ts';
import { createProgress } from '../../../src/commands/cli/progress.ts';
import { withStop } from '../../../src/commands/doctor/verdict.ts';
import { walkBatches } from '../../../src/commands/doctor/walk-batches.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const ROWS = 1_000;
const slow = new Error('canceling statement due to statement timeout');

/** A table of 1,000 rows, whose batches fail where `fails` says so. */
async function walk(fails: (after: number, limit: number) => boolean) {
  const asked: [number, number][] = [];
  const shown: number[] = [];
  const walked = await walkBatches({
    first: 0,
    batchSize: 400,
    showProgress: (examined) => shown.push(examined),
    async examine(after, limit) {
      asked.push([after, limit]);
      if (fails(after, limit)) throw new DatabaseUnavailable(slow);
      const last = Math.min(after + limit, ROWS);
      return { examined: last - after, last: last === after ? null : last };
    },
  });
  return { ...walked, asked, shown };
}

describe('a walk in batches', () => {
  it('examines every row and shows how far it is', async () => {
    const { examined, stopped, shown } = await walk(() => false);
    assert.deepEqual([examined, stopped], [ROWS, null]);
    assert.deepEqual(shown, [400, 800, 1_000, 1_000]);
  });

  it('tries a batch that takes too long again with fewer rows, then grows', async () => {
    const { examined, stopped, asked } = await walk((after, limit) => after === 400 && limit > 100);
    assert.deepEqual([examined, stopped], [ROWS, null]);
    assert.deepEqual(asked.slice(0, 4), [
      [0, 400],
      [400, 400],
      [400, 100],
      [500, 400],
    ]);
  });

  it('stops where even a small batch fails, says where, and is no good verdict', async () => {
    const { examined, stopped, asked } = await walk((after) => after >= 800);
    assert.equal(examined, 800);
    assert.equal(asked.length, 5);
    assert.match(stopped ?? '', /stopped after 800 \(canceling .*\); the rest was not checked/);
    const verdict = withStop(stopped, { ok: true, message: '800 rows are fine.' });
    assert.deepEqual([verdict.ok, verdict.message], [false, `800 rows are fine. ${stopped}`]);
  });

  it('lets a fault of its own statement through', async () => {
    const broken = walkBatches({
      first: 0,
      batchSize: 400,
      showProgress() {},
      examine: () => Promise.reject(new TypeError('no such column')),
    });
    await assert.rejects(broken, TypeError);
  });
});

describe('progress', () => {
  const show = (isTTY: boolean) => {
    let written = '';
    const clock = createFakeClock(new Date('2026-03-01T12:00:00Z'));
    const progress = createProgress({ isTTY, write: (text) => (written += text) }, clock);
    for (const message of ['one', 'two', 'three', 'four']) {
      progress.show(message);
      clock.advance(600);
    }
    progress.clear();
    return written;
  };

  it('replaces one line of a terminal once a second, and takes it away at the end', () => {
    assert.equal(show(true), '\r\x1b[Kthree\r\x1b[K');
  });

  it('writes nothing elsewhere', () => {
    assert.equal(show(false), '');
  });
});
