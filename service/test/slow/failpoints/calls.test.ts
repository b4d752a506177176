import { after, before, describe, it } from 'node:test';
import { CALL_JOURNEYS } from '../../support/failpoints/call-journeys.ts';
import { dieAndRecover, type Journey } from '../../support/failpoints/journey.ts';
import { startTrial, type Trial } from '../../support/failpoints/trial.ts';

for (const journey of CALL_JOURNEYS as readonly Journey<unknown>[]) {
  describe(`an API process that dies during ${journey.title}`, () => {
    let trial: Trial;
    before(async () => {
      trial = await startTrial('sandbox');
      await trial.startBackground();
    });
    after(() => trial?.close());

    for (const failpoint of journey.failpoints) {
      it(`loses nothing and doubles nothing: ${failpoint}`, () =>
        dieAndRecover(trial, journey, failpoint));
    }
  });
}
