import type { Books } from '../books.ts';
import type { Findings } from './findings.ts';
import { groupBy } from './group-by.ts';
import { type Call, callsOf } from './match-calls.ts';

/**
 * Checks that the pages of the feed hold every event of the merchant once, in order. Each page is
 * read under the cursor of the page before. The pages of the ledger hold its entries likewise.
 */
export function checkLists(calls: readonly Call[], books: Books, findings: Findings): void {
  const lists = [
    { name: 'feed', stored: groupBy(books.events, ({ merchantId }) => merchantId) },
    { name: 'ledger', stored: groupBy(books.ledger, ({ merchantId }) => merchantId) },
  ] as const;
  for (const { name, stored } of lists) {
    const read = groupBy(callsOf(calls, name), ({ sent }) => sent.merchantId);
    for (const merchantId of new Set([...stored.keys(), ...read.keys()])) {
      const ids = (read.get(merchantId) ?? []).flatMap(({ answered }) => answered?.told?.ids ?? []);
      const all = (stored.get(merchantId) ?? []).map(({ id }) => id);
      compare(`the ${name} of merchant ${merchantId}`, ids, all, findings);
    }
  }
}

function compare(
  what: string,
  read: readonly string[],
  stored: readonly string[],
  findings: Findings,
): void {
  const seen = new Set<string>();
  const known = new Set(stored);
  for (const id of read) {
    if (seen.has(id)) findings.add('unexpected', `${what} gave ${id} again under its cursor`);
    if (!known.has(id)) findings.add('unexpected', `${what} gave ${id}, which is not stored`);
    seen.add(id);
  }
  for (const id of stored) if (!seen.has(id)) findings.add('lost', `${what} never gave ${id}`);
  const inOrder = stored.filter((id) => seen.has(id));
  const once = [...seen].filter((id) => known.has(id));
  const at = once.findIndex((id, index) => id !== inOrder[index]);
  if (at >= 0) findings.add('disordered', `${what} gave ${once[at]} out of its order`);
}
