import { after, before, describe, it } from 'node:test';
import { dieAndRecover } from '../../support/failpoints/journey.ts';
import {
  MESSAGE,
  type MessageTrial,
  startMessageTrial,
} from '../../support/failpoints/message-journey.ts';

describe(`a background process that dies during ${MESSAGE.title}`, () => {
  let trial: MessageTrial;
  before(async () => {
    trial = await startMessageTrial();
  });
  after(() => trial?.close());

  for (const failpoint of MESSAGE.failpoints) {
    it(`loses nothing and doubles nothing: ${failpoint}`, () =>
      dieAndRecover(trial, MESSAGE, failpoint));
  }
});
