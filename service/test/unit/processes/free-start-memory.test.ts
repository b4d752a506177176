import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { freeStartMemory } from '#processes/free-start-memory.ts';

/** CPU time of a second without calls, and with them, in ms. */
const [AT_REST, BUSY] = [50, 51];

describe('the memory of a start', () => {
  let collected: number;
  let cpuMs: number;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    [collected, cpuMs] = [0, 700];
  });
  afterEach(() => mock.timers.reset());

  const start = () => freeStartMemory({ cpuMs: () => cpuMs, collect: () => (collected += 1) });
  /** Lets seconds pass, each with this CPU time. @returns the collections so far */
  function pass(ms: number, seconds = 1): number {
    for (let second = 0; second < seconds; second += 1) {
      cpuMs += ms;
      mock.timers.tick(1_000);
    }
    return collected;
  }

  it('is collected after the first second at rest, and only once', () => {
    start();
    assert.equal(collected, 0);
    assert.equal(pass(AT_REST), 1);
    assert.equal(pass(AT_REST, 100), 1);
  });

  it('stays while the process has work', () => {
    start();
    assert.equal(pass(BUSY, 59), 0);
    assert.equal(pass(AT_REST), 1);
  });

  it('stays for good after a minute of work', () => {
    start();
    assert.equal(pass(BUSY, 60), 0);
    assert.equal(pass(AT_REST, 100), 0);
  });
});
