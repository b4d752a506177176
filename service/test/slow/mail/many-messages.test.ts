import { after, before, beforeEach, describe, it } from 'node:test';
import { sendManyAtTheRate, sendManyInHours } from '../../support/messages/many-due.ts';
import { startTestService, type TestService } from '../../support/service/service.ts';

const MESSAGES = 10_000;
/** The default of MAIL_HOURLY_LIMIT. */
const PER_HOUR = 500;

describe(`${MESSAGES} messages that are due at once`, { timeout: 1_200_000 }, () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ roles: ['api'] });
  });
  after(() => service?.stop());
  beforeEach(async () => {
    await service.database.sql('DELETE FROM messages');
    await service.database.sql('DELETE FROM message_turns');
  });

  it('leave at the highest rate, each once, where no limit holds them', () =>
    sendManyAtTheRate({ service, messages: MESSAGES, ratePerSecond: 500 }));

  it('leave as an hour allows, and end as untrue after the expiry: none is lost', () =>
    sendManyInHours({
      service,
      messages: MESSAGES,
      perHour: PER_HOUR,
      hours: 3,
      ratePerSecond: 500,
    }));
});
