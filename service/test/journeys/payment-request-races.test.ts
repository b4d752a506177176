import { describe, it } from 'node:test';
import { checkRaces } from '../support/payment-requests/races.ts';

describe('confirm, refuse, cancel, expire, update and simulate at once', () => {
  it('end by the table, with one webhook event for each transition that names one', async () => {
    await checkRaces(60);
  });
});
