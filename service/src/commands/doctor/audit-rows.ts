import { countText } from '#lib/words/count-text.ts';
import type { AuditedBatch } from './found-store.ts';
import { type CheckDeps, examplesOf } from './verdict.ts';
import { type Walked, walkBatches } from './walk-batches.ts';

export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
/** Enough to see a pattern in; the rest is counted. */
export const MOST_KEPT_IDS = 1_000;

interface RowAudit<Way extends string, Place> {
  /** A row in words, for the progress. */
  readonly unit: string;
  readonly batchSize: number;
  readonly first: Place;
  /** The sentence of each way to be wrong, which the ids follow. */
  readonly ways: Readonly<Record<Way, string>>;
  /** Audits up to `limit` rows after a place. */
  readonly audit: (
    after: Place,
    limit: number,
  ) => Promise<AuditedBatch<Place> & Readonly<Record<NoInfer<Way>, readonly string[]>>>;
}

/**
 * Audits a table in batches.
 *
 * @returns how far it came, and a sentence for each way that was met, with the first ids of it
 */
export async function auditRows<Way extends string, Place>(
  { showProgress }: Pick<CheckDeps, 'showProgress'>,
  { unit, batchSize, first, ways, audit }: RowAudit<Way, Place>,
): Promise<Walked & { readonly wrong: Readonly<Partial<Record<Way, string>>> }> {
  const found = (Object.keys(ways) as Way[]).map((way) => ({ way, ids: [] as string[], total: 0 }));
  const walked = await walkBatches({
    first,
    batchSize,
    showProgress: (rows) => showProgress(countText(rows, unit)),
    async examine(after, limit) {
      const batch = await audit(after, limit);
      for (const each of found) {
        const ids = batch[each.way];
        each.total += ids.length;
        each.ids.push(...ids.slice(0, MOST_KEPT_IDS - each.ids.length));
      }
      return batch;
    },
  });
  const sentences = found
    .filter(({ total }) => total > 0)
    .map(({ way, ids, total }) => [way, `${ways[way]} ${examplesOf(ids, total)}.`]);
  return { ...walked, wrong: Object.fromEntries(sentences) };
}
