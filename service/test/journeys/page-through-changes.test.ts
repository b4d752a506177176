import { it } from 'node:test';
import { pageThroughChanges } from '../support/payment-requests/page-through-changes.ts';

/** Thirty pages; service/test/slow/page-through-a-million.test.ts takes more. */
const ROWS = 3_000;

it('paging through 3,000 while some are added and moved skips nothing and gives nothing twice', async () => {
  await pageThroughChanges(ROWS);
});
