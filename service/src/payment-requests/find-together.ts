import type { Executor } from '#database/database.ts';
import { lookUpTogether } from '#database/look-up-together.ts';
import type { DatabaseMetrics } from '#telemetry/database-metrics.ts';
import type { PaymentRequest } from './payment-request.ts';
import { findPaymentRequests } from './payment-request-store.ts';

/** A second's worth at full speed; whoever comes behind that had better come back. */
const MOST_WAITING = 10_000;

export type FindPaymentRequest = (id: string) => Promise<PaymentRequest | null>;

/** Makes the reading of single payment requests that many callers share: one statement for many. */
export function findTogether(db: Executor, metrics: DatabaseMetrics): FindPaymentRequest {
  const find = lookUpTogether({
    db,
    find: async (executor, ids) => {
      const found = await findPaymentRequests(executor, ids);
      return new Map(found.map((paymentRequest) => [paymentRequest.id, paymentRequest]));
    },
    mostWaiting: MOST_WAITING,
    onRun: (size) => metrics.gathered('read', size),
  });
  return (id) => find(id.toLowerCase());
}
