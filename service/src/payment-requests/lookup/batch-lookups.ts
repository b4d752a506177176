import { batchLookups } from '#database/batch-lookups.ts';
import type { Executor } from '#database/database.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { DatabaseMetrics } from '#telemetry/metrics/database-metrics.ts';
import { findPaymentRequests } from './find-store.ts';

/** A second's worth at full speed; later callers are refused and try again. */
const MAX_QUEUE = 10_000;

export type FindPaymentRequest = (id: string) => Promise<PaymentRequest | null>;

/** Makes the reading of single payment requests that many callers share: one statement for many. */
export function findTogether(db: Executor, metrics: DatabaseMetrics): FindPaymentRequest {
  const find = batchLookups({
    db,
    find: async (executor, ids) => {
      const found = await findPaymentRequests(executor, ids);
      return new Map(found.map((paymentRequest) => [paymentRequest.id, paymentRequest]));
    },
    maxQueue: MAX_QUEUE,
    onBatch: (size) => metrics.batched('read', size),
  });
  return (id) => find(id.toLowerCase());
}
