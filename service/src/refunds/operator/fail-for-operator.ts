import type { DatabaseDeps, Executor } from '#database/database.ts';
import { type RunMode, runOrRehearse } from '#database/rehearse.ts';
import { dateIn } from '#ledger/model/day.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { notifyOfChanges } from '#payment-requests/read/change-signal-store.ts';
import type { Refund, RefundCause } from '#refunds/model/refund.ts';
import type { RefundSettings } from '#refunds/model/render-json.ts';
import { changeRefundStatuses } from '#refunds/status/change-refund-status.ts';
import { lockPaymentsOfRefunds } from '#refunds/status/lock-store.ts';
import { notifySenders } from '#webhooks/events/outbox.ts';
import { findForOperator } from './find-for-operator.ts';
import { noticeOfFailedRefund } from './notice-of-failure.ts';

export interface FailForOperatorDeps extends DatabaseDeps {
  readonly settings: RefundSettings;
  /** The operator, for the audit log. */
  readonly actor: string;
}

const REFUSED = { name: 'REFUSED', reasonCode: 'NETWORK_REJECTED' } as const;

/**
 * Ends a PROCESSING refund as FAILED: the bank has refused it, and no report says so. The merchant
 * gets the event, and the audit log names the operator.
 *
 * @throws OperatorFault for an unknown id and for a refund that is not PROCESSING
 */
export async function failForOperator(
  deps: FailForOperatorDeps,
  id: string,
  note: string,
  mode: RunMode,
): Promise<Refund> {
  const { db } = deps;
  const failed = await runOrRehearse(db, mode, (tx) => failRefund(tx, deps, id, note));
  if (mode === 'DO') {
    // A lost signal delays the webhook by a second, and a waiting call by its wait.
    await notifyOfChanges(db, [failed.id, failed.paymentRequestId]).catch(() => {});
    await notifySenders(db).catch(() => {});
  }
  return failed;
}

/** `failForOperator` in the caller's transaction, who notifies waiters and senders after it. */
export function failRefund(
  tx: Executor,
  deps: Omit<FailForOperatorDeps, 'db'>,
  id: string,
  note: string,
): Promise<Refund> {
  return endRefund(tx, deps, id, {
    ...{ words: 'failed', action: 'REFUND_FAILED', details: { note } },
    causeOf: () => REFUSED,
  });
}

/**
 * Ends a PROCESSING refund as COMPLETED in the caller's transaction: a person has made the
 * transfer, and no statement names it (bank-connection §4). A later debit that does is the same
 * money.
 *
 * @throws OperatorFault as `failForOperator`
 */
export function completeRefund(
  tx: Executor,
  deps: Omit<FailForOperatorDeps, 'db'> & { readonly timeZone: string },
  id: string,
  bankReference: string,
): Promise<Refund> {
  const completedAt = deps.clock.now();
  const bookingDate = dateIn(completedAt, deps.timeZone);
  return endRefund(tx, deps, id, {
    ...{ words: 'completed', action: 'REFUND_COMPLETED', details: { bankReference } },
    causeOf: ({ id: refundId }) => ({
      name: 'EXECUTED',
      movement: { networkReference: `${refundId}-DEBIT`, bankReference, bookingDate },
      completedAt,
    }),
  });
}

interface Ending {
  readonly words: string;
  readonly action: 'REFUND_FAILED' | 'REFUND_COMPLETED';
  readonly details: Readonly<Record<string, string>>;
  readonly causeOf: (refund: Refund) => RefundCause;
}

async function endRefund(
  tx: Executor,
  { clock, settings, actor }: Omit<FailForOperatorDeps, 'db'>,
  id: string,
  { words, action, details, causeOf }: Ending,
): Promise<Refund> {
  // The caller sends the signals: a command ends before a signal in the background is sent.
  const noticeOfFailure = noticeOfFailedRefund(settings.currency);
  const deps = { clock, settings, noticeOfFailure, wakeSenders() {}, onRefundChanged() {} };
  await findForOperator(tx, id);
  const payments = await lockPaymentsOfRefunds(tx, [id]);
  const refund = await findForOperator(tx, id);
  const { status, merchantId, paymentRequestId } = refund;
  if (status !== 'PROCESSING') {
    throw new Refusal('refund.ended', { status, act: words });
  }
  const caused = [{ refund, cause: causeOf(refund) }];
  const { refunds } = await changeRefundStatuses(tx, deps, payments, caused);
  const about = { refundId: refund.id, paymentRequestId, ...details };
  await recordAct(tx, { clock, actor }, action, merchantId, about);
  return refunds[0] ?? refund;
}

/**
 * Locks the payment request of a refund, and so the refund, and reads it.
 *
 * @throws OperatorFault for an unknown id
 */
export async function lockRefund(tx: Executor, id: string): Promise<Refund> {
  await findForOperator(tx, id);
  await lockPaymentsOfRefunds(tx, [id]);
  return findForOperator(tx, id);
}
