import type { WrittenRefunds } from '#refunds/status/change-refund-status.ts';

/**
 * Creates the refunds of a case one after the other. The database allows a case one refund: the
 * first stands for all of them.
 *
 * @param caseId null: an earlier refund names the case
 */
export async function createRefunds<Item>(
  caseId: string | null,
  items: readonly Item[],
  create: (operatorCaseId: string | null, item: Item, index: number) => Promise<WrittenRefunds>,
): Promise<{ readonly refundIds: readonly string[]; readonly publish: () => void }> {
  const written: WrittenRefunds[] = [];
  for (const [index, item] of items.entries()) {
    written.push(await create(index === 0 ? caseId : null, item, index));
  }
  return {
    refundIds: written.flatMap(({ refunds }) => refunds.map(({ id }) => id)),
    publish() {
      for (const { publish } of written) publish();
    },
  };
}
