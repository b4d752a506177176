import { matchesNone } from '#http/headers/entity-tag.ts';
import type { Clock } from '#lib/clock.ts';
import type { FindPaymentRequest } from '#payment-requests/lookup/batch-lookups.ts';
import { findOwn } from '#payment-requests/lookup/find-own.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { STATUS_FACTS, TRANSITIONS } from '#payment-requests/model/statuses.ts';
import type { ChangeWaiters } from './wait-for-change.ts';

export interface ReadDeps {
  readonly find: FindPaymentRequest;
  readonly clock: Clock;
  readonly waiters: ChangeWaiters;
}

export interface Wait {
  readonly seconds: number;
  /** The `If-None-Match` header: the version that the caller knows. */
  readonly ifNoneMatch: string | undefined;
  /** Aborts when the caller has closed its connection. */
  readonly gone: AbortSignal;
}

/**
 * Reads a merchant's payment request as of now, or with `wait` as soon as the request changes
 * (contract §4, Read). A version that the caller does not know is answered at once: a version other
 * than `If-None-Match`, or without that header a payment request that is over.
 *
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, or RATE_LIMITED when too many wait.
 */
export async function readPaymentRequest(
  deps: ReadDeps,
  merchantId: string,
  id: string,
  wait: Wait | null,
): Promise<PaymentRequest> {
  const read = async () =>
    paymentRequestAt(await findOwn(deps.find, merchantId, id), deps.clock.now());
  if (wait === null) return read();
  // Join before the first read, so that no change falls between the two.
  const waiter = deps.waiters.join(merchantId, id.toLowerCase());
  try {
    const current = await read();
    if (!isWorthWaiting(current, wait)) return current;
    return await waiter.change(current, wait.seconds * 1000, wait.gone);
  } finally {
    waiter.leave();
  }
}

function isWorthWaiting({ status, version }: PaymentRequest, { ifNoneMatch }: Wait): boolean {
  if (ifNoneMatch === undefined) return !STATUS_FACTS[status].isOver;
  const canChange = TRANSITIONS.some((row) => row.from === status);
  return canChange && matchesNone(ifNoneMatch, version);
}
