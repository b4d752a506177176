import type { OverviewAnswer, OverviewReads } from '#database/replica/overview-reads.ts';
import { RequestCoalescer } from '#database/request-coalescer.ts';
import type { Page } from '#lib/cursor.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { List } from './list.ts';

/** Reads a page; throws what `readPage` of the list throws. */
export type ReadPage<Query, Row> = (
  merchantId: string,
  query: Partial<Query>,
  faults: readonly FieldFault[],
) => Promise<OverviewAnswer<Page<Row>>>;

/** Makes the reading of pages that may be slightly old. */
export function readPages<Query, Row>(
  reads: OverviewReads,
  list: List<Query, Row>,
): ReadPage<Query, Row> {
  return (merchantId, query, faults) =>
    reads.read((db) => list.readPage(db, merchantId, query, faults));
}

/**
 * Makes the reading of pages that equal calls share: of the same merchant, with the same
 * parameters. After an event all open pages of a merchant ask for the same list at once. The result
 * throws DatabaseUnavailable when too many calls wait.
 */
export function sharePages<Query, Row>(
  reads: OverviewReads,
  list: List<Query, Row>,
): ReadPage<Query, Row> {
  const runs = new RequestCoalescer<OverviewAnswer<Page<Row>>>();
  const readPage = readPages(reads, list);
  return (merchantId, query, faults) => {
    const read = () => readPage(merchantId, query, faults);
    // Two queries with other faults may be equal: the schema's faults name what it took out.
    return faults.length > 0 ? read() : runs.run(JSON.stringify([merchantId, query]), read);
  };
}
