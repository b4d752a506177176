import { after, before, describe, it } from 'node:test';
import { dieAndRecover, type Journey } from '../../support/failpoints/journey.ts';
import { LOOP_JOURNEYS } from '../../support/failpoints/loop-journeys.ts';
import { startTrial, type Trial } from '../../support/failpoints/trial.ts';

for (const journey of LOOP_JOURNEYS as readonly Journey<unknown>[]) {
  describe(`a background process that dies during ${journey.title}`, () => {
    let trial: Trial;
    before(async () => {
      trial = await startTrial('sandbox');
    });
    after(() => trial?.close());

    for (const failpoint of journey.failpoints) {
      it(`loses nothing and doubles nothing: ${failpoint}`, () =>
        dieAndRecover(trial, journey, failpoint));
    }
  });
}
