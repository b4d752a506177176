import { describe, it } from 'node:test';
import { checkRaces } from '../support/payment-requests/races.ts';

describe('confirm, refuse, cancel, expire, update and simulate at once, for long', () => {
  it('end in one way through the table, with one event for each move that owes one', async () => {
    await checkRaces(3_000);
  });
});
