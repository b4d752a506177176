import type { NewOperatorCase } from '#payment-requests/model/plan-change.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { NetworkMetrics } from '#telemetry/metrics/network-metrics.ts';

/** Makes the alert of a new operator case: a counter and an error line. */
export function alertOperator({
  metrics,
  log,
}: {
  readonly metrics: Pick<NetworkMetrics, 'operatorCaseOpened'>;
  readonly log: Log;
}): (opened: NewOperatorCase) => void {
  return ({ kind, paymentRequestId, details }) => {
    metrics.operatorCaseOpened(kind);
    // A case about an unknown payment request has the reported id in its details.
    const id = paymentRequestId ?? details.paymentRequestId;
    log.error({ paymentRequestId: id, kind }, 'operator case opened');
  };
}
