import { examplesOf } from '../verdict.ts';
import { MOST_KEPT_IDS } from './audit-whole-outbox.ts';

/** The ids that a walk finds wrong in one way; only the first ones are kept. */
export function createFindings(sentence: string) {
  const ids: string[] = [];
  let total = 0;
  return {
    add(found: readonly string[]) {
      total += found.length;
      ids.push(...found.slice(0, MOST_KEPT_IDS - ids.length));
    },
    sentences: () => (total > 0 ? [`${sentence}: ${examplesOf(ids, total)}.`] : []),
  };
}
