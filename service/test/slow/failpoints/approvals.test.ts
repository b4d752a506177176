import { after, before, describe, it } from 'node:test';
import { APPROVALS_ON } from '../../support/approvals/approving.ts';
import { APPROVAL } from '../../support/failpoints/approval-journey.ts';
import { dieAndRecover } from '../../support/failpoints/journey.ts';
import { startTrial, type Trial } from '../../support/failpoints/trial.ts';

describe(`an API process that dies during ${APPROVAL.title}`, () => {
  let trial: Trial;
  before(async () => {
    trial = await startTrial('sandbox', () => APPROVALS_ON);
    await trial.startBackground();
  });
  after(() => trial?.close());

  for (const failpoint of APPROVAL.failpoints) {
    it(`acts once, as two people wanted: ${failpoint}`, () =>
      dieAndRecover(trial, APPROVAL, failpoint));
  }
});
