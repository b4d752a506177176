import { isDeepStrictEqual } from 'node:util';
import type { Executor } from '#database/database.ts';
import { addressOf, MESSAGE_KINDS } from '#messages/model/kinds.ts';
import { type NewMessage, type NewMessageDeps, newMessage } from '#messages/model/message.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import { channelOf, sendingAt } from '#payment-requests/model/messages/delivery.ts';
import type { MessageHooks } from '#payment-requests/model/messages/message-hooks.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { PlannedChange } from '#payment-requests/model/plan-change.ts';
import { isOpen } from '#payment-requests/model/statuses.ts';
import type { Refund } from '#refunds/model/refund.ts';
import type { RefundMessages } from '#refunds/status/change-refund-status.ts';
import {
  cancelAsking,
  deleteUnsentReminders,
  insertMessages,
  moveSending,
} from './message-outbox.ts';
import { quietTimes } from './quiet-time.ts';
import { findLinkChannel, findReceiptedRefunds } from './subject-store.ts';

const HOUR_MS = 3_600_000;

export interface WriteMessagesDeps extends NewMessageDeps {
  /** `TIME_ZONE`, for merchants without their own. */
  readonly timeZone: string;
}

/** The hooks of payment requests and refunds that write messages (messages §2). */
export type WriteMessages = MessageHooks & RefundMessages;

export function createMessageHooks(deps: WriteMessagesDeps): WriteMessages {
  return {
    async created(tx, created) {
      const messages: NewMessage[] = [];
      for (const p of created) {
        messages.push(...(await linkMessages(tx, deps, p)), ...(await reminders(tx, deps, p)));
      }
      await write(tx, messages);
    },
    async changing(tx, changes) {
      const closed = latestOf(changes).filter(({ status }) => !isOpen(status));
      const ended = closed.length > 0 ? await cancelAsking(tx, closed.map(idOf)) : [];
      const messages: NewMessage[] = [];
      for (const after of closed) messages.push(...(await messagesAbout(tx, deps, after)));
      await write(tx, messages);
      const endOf = new Map(ended.map(({ id, endedAt }) => [id, endedAt]));
      return new Map(
        closed.flatMap(({ id, linkMessage }) => {
          const at = endOf.get(linkMessage?.id ?? '');
          return linkMessage && at
            ? [[id, { ...linkMessage, status: 'CANCELLED', reason: 'NO_LONGER_TRUE', at }]]
            : [];
        }),
      );
    },
    async updated(tx, before, after) {
      const { linkMessage } = after;
      if (linkMessage === null) return null;
      const at = await linkTime(tx, deps, after, sendingAt(after.delivery, deps.clock.now()));
      const isMoved =
        !isDeepStrictEqual(timesOf(before), timesOf(after)) &&
        (await moveSending(tx, after.id, at)).includes(linkMessage.id);
      // Their number is their hours, so that a reminder that was sent is not repeated.
      await deleteUnsentReminders(tx, after.id);
      await write(tx, await reminders(tx, deps, after));
      return isMoved ? { ...linkMessage, at } : linkMessage;
    },
    async refundsChanged(tx, refunds) {
      const over = refunds.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED');
      if (over.length > 0) await write(tx, await refundMessages(tx, deps, over));
    },
  };
}

async function write(tx: Executor, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length > 0) await insertMessages(tx, messages);
}

/** The message with the link of a new payment request, under the id that its answer shows. */
async function linkMessages(
  tx: Executor,
  deps: WriteMessagesDeps,
  p: PaymentRequest,
): Promise<NewMessage[]> {
  const channel = channelOf(p.deliveryMode);
  if (!channel || !p.linkMessage) return [];
  const { id, at } = p.linkMessage;
  const dueAt = await linkTime(tx, deps, p, at);
  return [newMessage(deps, p, { id, kind: 'REQUEST', channel, dueAt })];
}

/** When the link leaves that is to be sent at `at`, and never before now. */
async function linkTime(
  tx: Executor,
  { clock, timeZone }: WriteMessagesDeps,
  p: PaymentRequest,
  at: Date,
): Promise<Date> {
  const channel = channelOf(p.deliveryMode);
  if (!channel) return at;
  const about = { kind: 'REQUEST', channel, isAsked: false } as const;
  const quietTime = await quietTimes(tx, timeZone, p, about);
  return new Date(Math.max(quietTime(at).getTime(), Math.min(at.getTime(), clock.now().getTime())));
}

/** The reminders that lie between the sending of the link and the expiry (messages §1). */
async function reminders(
  tx: Executor,
  deps: WriteMessagesDeps,
  p: PaymentRequest,
): Promise<NewMessage[]> {
  const channel = channelOf(p.deliveryMode);
  const { reminders: hours = [] } = p.messagePlan ?? {};
  if (!channel || hours.length === 0) return [];
  const sentAt = sendingAt(p.delivery, deps.clock.now());
  const about = { kind: 'REMINDER', channel, isAsked: false } as const;
  const quietTime = await quietTimes(tx, deps.timeZone, p, about);
  return hours.flatMap((number) => {
    const dueAt = quietTime(new Date(p.expiresAt.getTime() - number * HOUR_MS));
    return dueAt > sentAt ? newMessage(deps, p, { ...about, number, dueAt }) : [];
  });
}

/** The messages about a payment request that has reached a status. */
async function messagesAbout(
  tx: Executor,
  deps: WriteMessagesDeps,
  after: PaymentRequest,
): Promise<NewMessage[]> {
  const subject = { paymentRequest: after, refund: null };
  if (MESSAGE_KINDS.RECEIPT.isTrue(subject)) {
    const isAsked = after.messagePlan?.receipt && addressOf(after, 'EMAIL') !== null;
    return isAsked ? [newMessage(deps, after, { kind: 'RECEIPT', channel: 'EMAIL' })] : [];
  }
  if (!MESSAGE_KINDS.CANCELLATION.isTrue(subject)) return [];
  const channel = await findLinkChannel(tx, after.id);
  return channel ? [newMessage(deps, after, { kind: 'CANCELLATION', channel })] : [];
}

/** A refund that failed concerns the payer only where its receipt has said otherwise. */
async function refundMessages(
  tx: Executor,
  deps: WriteMessagesDeps,
  refunds: readonly Refund[],
): Promise<NewMessage[]> {
  const ids = [...new Set(refunds.map(({ paymentRequestId }) => paymentRequestId))];
  const found = new Map((await findPaymentRequests(tx, ids)).map((p) => [p.id, p]));
  const receipted = new Set(await findReceiptedRefunds(tx, refunds.map(idOf)));
  return refunds.flatMap(({ id: refundId, paymentRequestId, status }) => {
    const p = found.get(paymentRequestId);
    if (!p?.messagePlan?.receipt || addressOf(p, 'EMAIL') === null) return [];
    if (status === 'FAILED' && !receipted.has(refundId)) return [];
    const kind = status === 'COMPLETED' ? 'REFUND_RECEIPT' : 'REFUND_RETURNED';
    return [newMessage(deps, p, { kind, channel: 'EMAIL', refundId })];
  });
}

/** The times on which the sending of the link hangs. */
const timesOf = ({ delivery, messagePlan, expiresAt }: PaymentRequest) => [
  delivery?.sendDateTime,
  ...(messagePlan?.quietHours ? [expiresAt] : []),
];

const idOf = ({ id }: { readonly id: string }): string => id;

/** The latest state of each payment request. */
function latestOf(changes: readonly PlannedChange[]): PaymentRequest[] {
  return [...new Map(changes.map(({ after }) => [after.id, after])).values()];
}
