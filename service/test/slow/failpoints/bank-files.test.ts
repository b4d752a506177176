import { after, before, describe, it } from 'node:test';
import { BANK_JOURNEYS } from '../../support/failpoints/bank-journeys.ts';
import { startBankTrial } from '../../support/failpoints/bank-trial.ts';
import { dieAndRecover, type Journey } from '../../support/failpoints/journey.ts';
import type { Trial } from '../../support/failpoints/trial.ts';

for (const journey of BANK_JOURNEYS as readonly Journey<unknown>[]) {
  const dying = journey.role === 'api' ? 'an API process' : 'a background process';
  describe(`${dying} that dies during ${journey.title}`, () => {
    let trial: Trial;
    before(async () => {
      trial = await startBankTrial();
      await trial.startBackground();
    });
    after(() => trial?.close());

    for (const failpoint of journey.failpoints) {
      it(`loses nothing and doubles nothing: ${failpoint}`, () =>
        dieAndRecover(trial, journey, failpoint));
    }
  });
}
