import { it } from 'node:test';
import { pageThroughChanges } from '../support/payment-requests/page-through-changes.ts';

it('paging through 20,000 while some are added and moved skips nothing and gives nothing twice', async () => {
  await pageThroughChanges(20_000);
});
