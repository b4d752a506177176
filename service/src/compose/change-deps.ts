import { alertOperator } from '#payment-requests/status/alert-operator.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import type { RefundReportDeps } from '#refunds/network/apply-refund-reports.ts';
import { noticeOfFailedRefund } from '#refunds/operator/notice-of-failure.ts';
import { misbehaviourOf } from '#sandbox/misbehaviour-of.ts';
import type { SenderSignal } from '#webhooks/events/wake-senders.ts';
import type { ChangeSignals } from './change-signals.ts';
import type { Foundation } from './foundation.ts';

/** The needs of the one writer of a payment request's status. */
export function changeStatusDepsOf(
  { config, clock, log, db, metrics }: Foundation,
  changes: ChangeSignals,
  signal: SenderSignal,
) {
  const deps: ChangeStatusDeps = {
    db,
    clock,
    settings: config,
    ...(config.environment === 'sandbox' && { misbehaviourOf }),
    wakeSenders: () => signal.raise(),
    onStatusChanged({ id, from, to }) {
      metrics.paymentRequestMoved({ from, to });
      changes.changed(id);
      log.info({ paymentRequestId: id, from, to }, 'payment request moved');
    },
    onSumsChanged: (id) => changes.changed(id),
    onCaseOpened: alertOperator({ metrics, log }),
  };
  return deps;
}

/** The needs of the one writer of a refund's status. */
export function refundDepsOf(
  { config, clock, log, db, metrics }: Foundation,
  changes: ChangeSignals,
  { wakeSenders, onCaseOpened }: ChangeStatusDeps,
): RefundReportDeps {
  return {
    db,
    clock,
    log,
    settings: config,
    wakeSenders,
    onCaseOpened,
    // The sandbox moves no money: nobody has to learn of it by e-mail.
    ...(config.environment === 'production' && {
      noticeOfFailure: noticeOfFailedRefund(config.currency),
    }),
    onRefundChanged({ id, paymentRequestId, from, to }) {
      metrics.refundMoved({ from, to });
      changes.changed(paymentRequestId);
      changes.changed(id);
      log.info({ refundId: id, paymentRequestId, from: from ?? 'none', to }, 'refund moved');
    },
  };
}
