import { type CheckDeps, examplesOf, fault, fine, type Verdict } from '../verdict.ts';
import { walkBatches } from '../walk-batches.ts';
import { findDangling, listReferences } from './reference-store.ts';

/** 8 MB of a table, some 10,000 rows: a batch takes about 100 ms. */
const PAGES_AT_ONCE = 1_024;

/**
 * Every row that names another finds it: a delivery its event, a payment request its merchant. The
 * database's own constraints hold this, but for what ran with triggers off, or a damaged file.
 */
export async function checkReferences({ db, showProgress }: CheckDeps): Promise<Verdict> {
  const references = await listReferences(db);
  const faults: string[] = [];
  let rows = 0;
  for (const reference of references) {
    const { child, parent, childColumns, pages } = reference;
    const name = `${child}.${childColumns.join('+')}`;
    const lost: string[] = [];
    let total = 0;
    const { stopped } = await walkBatches({
      first: 0,
      batchSize: PAGES_AT_ONCE,
      showProgress: (examined) => showProgress(`${name}: ${examined} of ${pages} pages`),
      async examine(page, limit) {
        if (page >= pages) return { examined: 0, last: null };
        const found = await findDangling(db, reference, page, limit);
        rows += found.rows;
        total += found.count;
        lost.push(...(found.examples ?? []));
        return { examined: Math.min(limit, pages - page), last: page + limit };
      },
    });
    if (total > 0) {
      faults.push(`${name} names ${parent} that do not exist: ${examplesOf(lost, total)}.`);
    }
    if (stopped !== null) faults.push(`${name}: ${stopped}`);
  }
  if (faults.length > 0) return fault(faults.join(' '));
  return fine(`${rows} references between rows lead to rows that exist.`);
}
