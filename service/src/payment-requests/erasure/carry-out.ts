import type { DatabaseDeps, Executor } from '#database/database.ts';
import { eraseBatch, type MoneyErasure } from './erase-payer.ts';
import { claimWaiting, findWaiting, type WaitingErasure } from './waiting-store.ts';

export interface CarryOutDeps extends DatabaseDeps {
  readonly money: MoneyErasure;
}

/** Each order of a merchant is a transaction, which scans the merchant's kept answers once. */
const ORDERS_AT_ONCE = 100;

/**
 * Carries out erasures that had to wait, in the name of the operator who ordered them (decision
 * 0105). An order that still has to wait is looked at again after five minutes.
 *
 * @returns whether more may be due
 * @throws the first fault, after all other orders
 */
export async function carryOutErasures(deps: CarryOutDeps): Promise<boolean> {
  const { db } = deps;
  const claimed = await claimWaiting(db, ORDERS_AT_ONCE);
  const orders = Map.groupBy(claimed, ({ merchantId, askedBy }) => `${merchantId}\n${askedBy}`);
  const faults: unknown[] = [];
  for (const order of orders.values()) {
    await carryOut(deps, order).catch((error) => faults.push(error));
  }
  if (faults.length > 0) throw faults[0];
  return claimed.length === ORDERS_AT_ONCE;
}

async function carryOut(
  { db, clock, money }: CarryOutDeps,
  order: readonly WaitingErasure[],
): Promise<void> {
  const [first] = order;
  if (!first) return;
  await db.transaction(async (tx) => {
    const all = order.map(({ paymentRequestId }) => paymentRequestId);
    // Everything but the account numbers of these is erased: a repetition would change nothing.
    const isErased = new Set(
      order.filter(({ because }) => because.endsWith('_OPEN')).map((each) => each.paymentRequestId),
    );
    const open = await money.findOpen(tx, all);
    const ids = all.filter((id) => !(isErased.has(id) && open.has(id)));
    if (ids.length === 0) return;
    await eraseBatch(tx, { actor: first.askedBy, clock, money }, first.merchantId, ids);
  });
}

/** The erasure of a payment request that waits; null: none does. */
export function findWaitingErasure(db: Executor, id: string): Promise<WaitingErasure | null> {
  return findWaiting(db, id);
}

export type { WaitingErasure };
