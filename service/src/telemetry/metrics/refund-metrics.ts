import type { Meter } from '@opentelemetry/api';
import { boundLabel } from './bounded-labels.ts';

/** Several times the number of statuses in the code today. */
const MOST_STATUSES = 12;

export function measureRefunds(meter: Meter) {
  const moves = meter.createCounter('refund_moves_total', {
    description: 'Status changes of refunds; from "none" at creation.',
  });
  // Start at 0, so that Prometheus sees the first failure as an increase.
  for (const from of ['CREATED', 'PROCESSING', 'COMPLETED']) moves.add(0, { from, to: 'FAILED' });
  const boundStatus = boundLabel(MOST_STATUSES);
  return {
    /** `from` is null at creation. */
    refundMoved: ({ from, to }: { readonly from: string | null; readonly to: string }) =>
      moves.add(1, { from: boundStatus(from ?? 'none'), to: boundStatus(to) }),
  };
}
