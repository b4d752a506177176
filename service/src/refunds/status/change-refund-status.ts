import type { Executor } from '#database/database.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { NewLedgerEntry } from '#ledger/model/entry.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import type { Clock } from '#lib/clock.ts';
import { followMoney } from '#payment-requests/network/money/follow-money.ts';
import type { Written } from '#payment-requests/status/change-status.ts';
import { type PlannedRefundChange, planRefundChange } from '#refunds/model/plan-change.ts';
import type { Refund, RefundCause, RefundedPayment } from '#refunds/model/refund.ts';
import { type RefundSettings, renderRefund } from '#refunds/model/render-json.ts';
import { REFUND_STATUS_REASONS, type RefundStatus, sumOf } from '#refunds/model/statuses.ts';
import { enqueueWebhookEvents, type NewWebhookEvent } from '#webhooks/events/outbox.ts';
import { EVENT_TYPE_FACTS } from '#webhooks/model/event-types.ts';
import type { LockedPayments } from './lock-store.ts';
import {
  insertRefundRows,
  type NewRefundRow as StoredRefundRow,
  type SumChange,
  saveRefundChanges,
} from './status-store.ts';

export interface ChangeRefundDeps {
  readonly clock: Clock;
  readonly settings: RefundSettings;
  /** Wakes the senders, after the commit of a webhook event. */
  readonly wakeSenders: (paymentRequestIds?: readonly string[]) => void;
  /** Writes the merchant's notice of a FAILED refund, in the transaction; left out: none. */
  readonly noticeOfFailure?: (tx: Executor, refund: Refund) => Promise<void>;
  /** Writes messages to payers about refunds, in the transaction; left out: none. */
  readonly messages?: RefundMessages;
  /** Called after the commit, for metrics and for those who wait for the refund to change. */
  readonly onRefundChanged: (change: RefundStatusChange) => void;
}

export interface RefundMessages {
  /** @param refunds with their new statuses, of payment requests that send receipts */
  refundsChanged(tx: Executor, refunds: readonly Refund[]): Promise<void>;
}

export interface RefundStatusChange {
  readonly id: string;
  readonly paymentRequestId: string;
  /** null: the refund is new. */
  readonly from: RefundStatus | null;
  readonly to: RefundStatus;
}

/** A cause that has met a refund. */
export interface CausedChange {
  readonly refund: Refund;
  readonly cause: RefundCause;
}

export interface WrittenRefunds extends Written {
  /** The refunds as they are now, in the causes' order. */
  readonly refunds: readonly Refund[];
  /** In the causes' order: whether the table had a transition. */
  readonly isChanged: readonly boolean[];
}

/**
 * Applies causes in their order (contract §11): status, event, sums of the payment request, ledger
 * and webhook event, in the transaction that has locked the payment requests. The only writer of a
 * refund's status. A cause for which the table has no transition changes nothing.
 */
export async function changeRefundStatuses(
  tx: Executor,
  deps: ChangeRefundDeps,
  payments: LockedPayments,
  caused: readonly CausedChange[],
): Promise<WrittenRefunds> {
  const now = deps.clock.now();
  const current = new Map(caused.map(({ refund }) => [refund.id, refund]));
  const changes: PlannedRefundChange[] = [];
  const isChanged = caused.map(({ refund, cause }) => {
    const planned = planRefundChange(current.get(refund.id) ?? refund, cause, now);
    for (const { after } of planned) current.set(after.id, after);
    changes.push(...planned);
    return planned.length > 0;
  });
  if (changes.length > 0) {
    const events = webhookEventsOf(deps, payments, changes, now);
    await saveRefundChanges(tx, changes, sumsOf(changes), daysOf(changes));
    await insertLedgerEntries(
      tx,
      changes.flatMap((change) => ledgerOf(deps, change, now)),
    );
    if (events.length > 0) await enqueueWebhookEvents(tx, events);
    const failed = changes.map(({ after }) => after).filter(({ status }) => status === 'FAILED');
    for (const refund of failed) await deps.noticeOfFailure?.(tx, refund);
    await writeMessages(tx, deps, payments, changes);
    await followMoney(tx, deps, failed.filter(isOfCase(payments)).map(paymentRequestOf));
  }
  const refunds = caused.map(({ refund }) => current.get(refund.id) ?? refund);
  return { refunds, isChanged, publish: () => publish(deps, changes) };
}

/** Money of a case waits again when its refund has failed: a payment's is available again. */
const isOfCase =
  (payments: LockedPayments) =>
  ({ isOfPayment, paymentRequestId }: Refund): boolean =>
    !isOfPayment || payments.get(paymentRequestId)?.isPaid === false;

const paymentRequestOf = ({ paymentRequestId }: Refund): string => paymentRequestId;

/** A new refund; its first event is CREATED. */
export type NewRefundRow = Omit<StoredRefundRow, 'causes'>;

/** Writes new refunds, CREATED, with the sums of their locked payment requests. */
export async function insertRefunds(
  tx: Executor,
  deps: ChangeRefundDeps,
  rows: readonly NewRefundRow[],
): Promise<Written> {
  await insertRefundRows(
    tx,
    rows.map((row) => ({ ...row, causes: ['CREATED'] })),
  );
  return {
    publish() {
      for (const { refund } of rows) announce(deps, refund, null);
    },
  };
}

export interface ExecutedRefund {
  readonly payment: RefundedPayment;
  /** CREATED; the network has never been handed it. */
  readonly refund: Refund;
  readonly movement: Omit<MoneyMovement, 'amountCents'>;
  readonly completedAt: Date;
}

/**
 * Writes a refund that a bank has executed without this service, COMPLETED from the start. No
 * constraint refuses it: it states what has happened.
 */
export async function insertExecutedRefund(
  tx: Executor,
  deps: ChangeRefundDeps,
  { payment, refund, movement, completedAt }: ExecutedRefund,
): Promise<WrittenRefunds> {
  const now = deps.clock.now();
  const cause: RefundCause = { name: 'EXECUTED', movement, completedAt };
  const changes = planRefundChange(refund, cause, now);
  const after = changes.at(-1)?.after ?? refund;
  const row = { refund: after, bodyHash: null, firstPollSeconds: null, requestId: null };
  await insertRefundRows(tx, [{ ...row, causes: ['CREATED', cause.name] }]);
  await insertLedgerEntries(
    tx,
    changes.flatMap((change) => ledgerOf(deps, change, now)),
  );
  const payments = new Map([[payment.id, payment]]);
  await enqueueWebhookEvents(tx, webhookEventsOf(deps, payments, changes, now));
  await writeMessages(tx, deps, payments, changes);
  return {
    refunds: [after],
    isChanged: [true],
    publish() {
      announce(deps, refund, null);
      publish(deps, changes);
    },
  };
}

async function writeMessages(
  tx: Executor,
  { messages }: ChangeRefundDeps,
  payments: LockedPayments,
  changes: readonly PlannedRefundChange[],
): Promise<void> {
  const told = changes
    .map(({ after }) => after)
    .filter(({ paymentRequestId }) => payments.get(paymentRequestId)?.sendsReceipts);
  if (told.length > 0) await messages?.refundsChanged(tx, told);
}

function sumsOf(changes: readonly PlannedRefundChange[]): SumChange[] {
  const sums = new Map<
    string,
    { id: string; refunding: number; refunded: number; events: number }
  >();
  for (const { before, after, transition } of changes) {
    const id = after.paymentRequestId;
    const sum = sums.get(id) ?? { id, refunding: 0, refunded: 0, events: 0 };
    sums.set(id, sum);
    if (transition.webhook) sum.events += 1;
    if (!after.isOfPayment) continue;
    const [from, to] = [sumOf(before.status), sumOf(after.status)];
    if (from) sum[from] -= after.amountCents;
    if (to) sum[to] += after.amountCents;
  }
  return [...sums.values()].filter(({ refunding, refunded, events }) =>
    [refunding, refunded, events].some((change) => change !== 0),
  );
}

/** A FAILED refund no longer counts for the limit of its day. */
function daysOf(changes: readonly PlannedRefundChange[]) {
  const days = new Map<string, { merchantId: string; day: string; cents: number }>();
  for (const { after } of changes) {
    const { merchantId, countedOn: day, amountCents } = after;
    if (after.status !== 'FAILED' || day === null) continue;
    const key = `${merchantId} ${day}`;
    const counted = days.get(key) ?? { merchantId, day, cents: 0 };
    counted.cents += amountCents;
    days.set(key, counted);
  }
  return [...days.values()];
}

/** Money that came back proves a movement out, also one that no report has named. */
function ledgerOf(
  { settings }: ChangeRefundDeps,
  { cause, transition, after }: PlannedRefundChange,
  createdAt: Date,
): NewLedgerEntry[] {
  if (cause.name !== 'EXECUTED' && cause.name !== 'MONEY_CAME_BACK') return [];
  const { movement, feeCents = 0 } = cause;
  const entryOf = (type: NewLedgerEntry['type'], amountCents: number, isNamed = true) => ({
    merchantId: after.merchantId,
    type,
    amountCents,
    currency: settings.currency,
    paymentRequestId: after.paymentRequestId,
    refundId: after.id,
    networkReference: isNamed ? movement.networkReference : null,
    bankReference: isNamed ? movement.bankReference : null,
    bookingDate: movement.bookingDate,
    createdAt,
  });
  const moved = transition.ledger.map((type) =>
    type === 'REFUND'
      ? entryOf(type, -after.amountCents, cause.name === 'EXECUTED')
      : entryOf(type, after.amountCents),
  );
  if (feeCents === 0) return moved;
  // A bank that gave more than the refund has no charges: the difference is a correction.
  return [...moved, entryOf(feeCents > 0 ? 'FEE' : 'ADJUSTMENT', -feeCents)];
}

function webhookEventsOf(
  { settings }: ChangeRefundDeps,
  payments: LockedPayments,
  changes: readonly PlannedRefundChange[],
  createdAt: Date,
): NewWebhookEvent[] {
  const sequences = new Map<string, number>();
  return changes.flatMap(({ transition, after }) => {
    const payment = payments.get(after.paymentRequestId);
    if (transition.webhook === null || !payment) return [];
    const sequence = (sequences.get(payment.id) ?? payment.webhookSequence) + 1;
    sequences.set(payment.id, sequence);
    const { statusReasonCode: code } = after;
    return {
      merchantId: after.merchantId,
      paymentRequestId: after.paymentRequestId,
      sequence,
      eventType: transition.webhook,
      message:
        EVENT_TYPE_FACTS[transition.webhook].sentence ??
        (code && REFUND_STATUS_REASONS[code]) ??
        '',
      resource: renderRefund(after, settings),
      webhookUrl: after.webhookUrl,
      createdAt,
      traceparent: after.traceparent,
    };
  });
}

function publish(deps: ChangeRefundDeps, changes: readonly PlannedRefundChange[]): void {
  for (const { before, after } of changes) announce(deps, after, before.status);
  const told = changes.filter(({ transition }) => transition.webhook !== null);
  if (told.length > 0) deps.wakeSenders(told.map(({ after }) => after.paymentRequestId));
}

function announce(
  { onRefundChanged }: ChangeRefundDeps,
  { id, paymentRequestId, status }: Refund,
  from: RefundStatus | null,
): void {
  onRefundChanged({ id, paymentRequestId, from, to: status });
}
