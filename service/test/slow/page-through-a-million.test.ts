import { it } from 'node:test';
import { pageThroughChanges } from '../support/payment-requests/page-through-changes.ts';

it('paging through a million while some are added and moved skips nothing and gives nothing twice', async (t) => {
  const { pages, added, moved, seconds } = await pageThroughChanges(1_000_000);
  t.diagnostic(
    `${pages} pages in ${seconds.toFixed(0)} s; ${added} added, ${moved} moved meanwhile`,
  );
});
