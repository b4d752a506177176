import type { Executor } from '#database/database.ts';
import { matchesNone } from '#http/headers/entity-tag.ts';
import { isId } from '#lib/new-id.ts';
import { notFound } from '#lib/words/not-found.ts';
import type { Wait } from '#payment-requests/read/read-payment-request.ts';
import type { ChangeWaiters, FollowedKind } from '#payment-requests/read/wait-for-change.ts';
import { findRefund, findRefunds } from '#refunds/lookup/find-store.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { isRefundOpen, REFUND_TRANSITIONS } from '#refunds/model/statuses.ts';

/** How those who wait for a refund read it: the clock changes no refund. */
export const REFUNDS: FollowedKind<Refund> = {
  findMany: findRefunds,
  at: (refund) => refund,
  changesAt: () => null,
};

export interface ReadRefundDeps {
  readonly db: Executor;
  readonly waiters: ChangeWaiters<Refund>;
}

/**
 * Reads a merchant's refund, or with `wait` as soon as the refund changes (contract §11). A version
 * that the caller does not know is answered at once: a version other than `If-None-Match`, or
 * without that header a refund that is over.
 *
 * @throws Problem REFUND_NOT_FOUND, or RATE_LIMITED when too many wait.
 */
export async function readRefund(
  { db, waiters }: ReadRefundDeps,
  merchantId: string,
  id: string,
  wait: Wait | null,
): Promise<Refund> {
  if (wait === null) return findOwn(db, merchantId, id);
  // Join before the first read, so that no change falls between the two.
  const waiter = waiters.join(merchantId, id.toLowerCase());
  try {
    const current = await findOwn(db, merchantId, id);
    if (!isWorthWaiting(current, wait)) return current;
    return await waiter.change(current, wait.seconds * 1_000, wait.gone);
  } finally {
    waiter.leave();
  }
}

async function findOwn(db: Executor, merchantId: string, id: string): Promise<Refund> {
  const found = isId(id) ? await findRefund(db, id) : null;
  if (found?.merchantId !== merchantId) throw notFound('REFUND_NOT_FOUND', id);
  return found;
}

function isWorthWaiting({ status, version }: Refund, { ifNoneMatch }: Wait): boolean {
  if (ifNoneMatch === undefined) return isRefundOpen(status);
  const canChange = REFUND_TRANSITIONS.some((row) => row.from === status);
  return canChange && matchesNone(ifNoneMatch, version);
}
