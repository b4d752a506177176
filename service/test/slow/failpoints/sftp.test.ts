import { after, before, describe, it } from 'node:test';
import { dieAndRecover, type Journey } from '../../support/failpoints/journey.ts';
import {
  SFTP_JOURNEYS,
  type SftpTrial,
  startSftpTrial,
} from '../../support/failpoints/sftp-journeys.ts';

for (const journey of SFTP_JOURNEYS as readonly Journey<unknown>[]) {
  describe(`a background process that dies during ${journey.title}`, () => {
    let trial: SftpTrial;
    before(async () => {
      trial = await startSftpTrial();
      await trial.startBackground();
    });
    after(() => trial?.close());

    for (const failpoint of journey.failpoints) {
      it(`loses nothing and doubles nothing: ${failpoint}`, () =>
        dieAndRecover(trial, journey, failpoint));
    }
  });
}
