import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulateBank } from './bank/simulate-bank.ts';
import { Random } from './run/random.ts';
import { drawSteps, runSteps, shrinkSteps } from './run/run-steps.ts';
import type { World } from './run/world.ts';
import { printFailure } from './seeds/simulate-seed.ts';
import { simulateSeeds } from './seeds/simulate-seeds.ts';

/** `slow` takes a thousand, and `npm run simulate -- --seeds 10000` as many as it is told. */
const SEEDS = 250;

describe('simulated runs', () => {
  it('break no promise, in any order of faults', async () => {
    const failures = await simulateSeeds({ from: 1, count: SEEDS });
    assert.deepEqual(failures.map(printFailure), []);
  });

  it('take the same steps with the same seed', async () => {
    const told = async () => {
      const world = simulateBank(new Random(7));
      const texts: string[] = [];
      for (const { kind, seed } of drawSteps(world, new Random(7), 30)) {
        texts.push(await world.take(kind, new Random(seed)));
      }
      return texts;
    };
    assert.deepEqual(await told(), await told());
  });

  it('show the shortest list of steps that fails', async () => {
    const makeWorld = (): World => {
      const taken: string[] = [];
      return {
        weights: {},
        async take(kind) {
          taken.push(kind);
          return kind;
        },
        check() {
          if (taken.includes('b') && taken.at(-1) === 'd') throw new Error('b before d');
        },
        async finish() {},
      };
    };
    const steps = ['a', 'b', 'a', 'c', 'd', 'a'].map((kind) => ({ kind, seed: 1 }));
    const failure = await runSteps(makeWorld, 1, steps);
    assert.ok(failure);
    const shortest = await shrinkSteps(makeWorld, 1, steps, failure);
    assert.deepEqual(
      shortest.steps.map(({ kind }) => kind),
      ['b', 'd'],
    );
  });
});
