import { examplesOf } from '../verdict.ts';
import { MOST_KEPT_IDS } from './audit-whole-outbox.ts';

/**
 * The ids that a walk finds wrong, by the way in which they are wrong; only the first ones of each
 * way are kept.
 */
export function createFindings<Way extends string>(sentences: Readonly<Record<Way, string>>) {
  const ways = (Object.keys(sentences) as Way[]).map((way) => ({
    way,
    ids: [] as string[],
    total: 0,
  }));
  return {
    add(batch: Readonly<Record<Way, readonly string[]>>) {
      for (const found of ways) {
        const ids = batch[found.way];
        found.total += ids.length;
        found.ids.push(...ids.slice(0, MOST_KEPT_IDS - found.ids.length));
      }
    },
    /** A sentence for each way that was met. */
    sentences: () =>
      ways.flatMap(({ way, ids, total }) =>
        total > 0 ? [`${sentences[way]}: ${examplesOf(ids, total)}.`] : [],
      ),
  };
}
