import { after, before, describe, it } from 'node:test';
import type { Failpoint } from '../support/failpoints/armed-process.ts';
import { CREATION } from '../support/failpoints/call-journeys.ts';
import { dieAndRecover, type Journey } from '../support/failpoints/journey.ts';
import { DELIVERY, STEP } from '../support/failpoints/loop-journeys.ts';
import { startTrial, type Trial } from '../support/failpoints/trial.ts';

/** Some two seconds of work each; every place has its turn in `service/test/slow/`. */
const DEATHS = [
  [CREATION, 'after-commit/payment-request-insert-with-keys'],
  [STEP, 'after-commit/ledger-insert'],
  [DELIVERY, 'webhook-answered'],
] as const;

describe('a process that dies at a place where a fault would lose or double something', () => {
  let trial: Trial;
  before(async () => {
    trial = await startTrial('sandbox');
    await trial.startBackground();
  });
  after(() => trial?.close());

  for (const [journey, failpoint] of DEATHS as readonly (readonly [
    Journey<unknown>,
    Failpoint,
  ])[]) {
    it(`loses nothing and doubles nothing: ${journey.title}, ${failpoint}`, () =>
      dieAndRecover(trial, journey, failpoint));
  }
});
