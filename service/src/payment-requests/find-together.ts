import type { Executor } from '#database/database.ts';
import { gather } from '#database/gather.ts';
import type { DatabaseMetrics } from '#telemetry/database-metrics.ts';
import type { PaymentRequest } from './payment-request.ts';
import { findPaymentRequest, findPaymentRequests } from './payment-request-store.ts';

/** One answer's rows stay well below a megabyte, so that nobody waits long behind others. */
const MOST_AT_ONCE = 100;
/** One statement is read while the next one runs; more would take connections from writes. */
const LANES = 2;
/** A second's worth at full speed; whoever comes behind that had better come back. */
const MOST_WAITING = 10_000;

export type FindPaymentRequest = (id: string) => Promise<PaymentRequest | null>;

/** Makes the reading of single payment requests that many callers share: one statement for many. */
export function findTogether(db: Executor, metrics: DatabaseMetrics): FindPaymentRequest {
  const find = gather({
    run: async (ids: readonly string[]) => {
      const [only] = ids;
      if (only !== undefined && ids.length === 1) return [await findPaymentRequest(db, only)];
      const found = await findPaymentRequests(db, [...new Set(ids)]);
      const byId = new Map(found.map((paymentRequest) => [paymentRequest.id, paymentRequest]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    most: MOST_AT_ONCE,
    lanes: LANES,
    mostWaiting: MOST_WAITING,
    onRun: (size) => metrics.gathered('read', size),
  });
  return (id) => find(id.toLowerCase());
}
