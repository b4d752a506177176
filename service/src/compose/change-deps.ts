import { currentCall } from '#lib/call-context.ts';
import { alertOperator } from '#payment-requests/status/alert-operator.ts';
import type { ChangeStatusDeps, StatusChange } from '#payment-requests/status/change-status.ts';
import type { RefundReportDeps } from '#refunds/network/apply-refund-reports.ts';
import { noticeOfFailedRefund } from '#refunds/operator/notice-of-failure.ts';
import { misbehaviourOf } from '#sandbox/misbehaviour-of.ts';
import type { Tracing } from '#telemetry/tracing/tracing.ts';
import type { SenderSignal } from '#webhooks/events/wake-senders.ts';
import type { ChangeSignals } from './change-signals.ts';
import type { Foundation } from './foundation.ts';
import { messageHooksOf } from './messages/message-deps.ts';

/** The needs of the one writer of a payment request's status. */
export function changeStatusDepsOf(
  { config, clock, log, db, metrics, tracing }: Foundation,
  changes: ChangeSignals,
  signal: SenderSignal,
) {
  const deps: ChangeStatusDeps = {
    db,
    clock,
    settings: config,
    ...(config.environment === 'sandbox' && { misbehaviourOf }),
    messages: messageHooksOf(config, clock),
    wakeSenders: signal.raise,
    onStatusChanged({ id, from, to }, traceparent) {
      metrics.paymentRequestMoved({ from, to });
      changes.changed(id);
      const { requestId } = currentCall() ?? {};
      log.info({ paymentRequestId: id, from, to, requestId }, 'payment request moved');
      if (tracing) traceMove(tracing, { id, from, to }, traceparent);
    },
    onSumsChanged: (id) => changes.changed(id),
    onCaseOpened: alertOperator({ metrics, log }),
  };
  return deps;
}

/** A span in the trace of the creation, as webhooks are, with a link to the call of the move. */
function traceMove(
  tracing: Tracing,
  { id, from, to }: StatusChange,
  traceparent: string | null,
): void {
  const call = currentCall();
  const [parent, link] = traceparent
    ? [traceparent, call?.traceparent]
    : [call?.traceparent ?? null, null];
  const span = tracing.start('payment request moved', 'internal', parent, link);
  span.set({
    'payreq.payment_request_id': id,
    'payreq.from': from,
    'payreq.to': to,
    ...(call && { 'payreq.request_id': call.requestId }),
  });
  span.end();
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
    messages: messageHooksOf(config, clock),
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
