import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import { addressOf, MESSAGE_KINDS } from '#messages/model/kinds.ts';
import { type NewMessage, newMessage } from '#messages/model/message.ts';
import { outsideOfNight } from '#messages/model/quiet-hours.ts';
import { findPaymentRequests } from '#payment-requests/lookup/find-store.ts';
import { type Channel, channelOf, sendingAt } from '#payment-requests/model/messages/delivery.ts';
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
import { findLinkChannel, findReceiptedRefunds } from './subject-store.ts';

const HOUR_MS = 3_600_000;

export interface WriteMessagesDeps {
  readonly clock: Clock;
  /** `TIME_ZONE`, for merchants without their own. */
  readonly timeZone: string;
  /** How much later a message is tried, in seconds: the sandbox has slow addresses. */
  readonly delaySeconds: (address: string | null) => number;
}

/** The hooks of payment requests and refunds that write messages (messages §2). */
export type WriteMessages = MessageHooks & RefundMessages;

export function createMessageHooks(deps: WriteMessagesDeps): WriteMessages {
  return {
    async created(tx, created) {
      const messages = created.flatMap((p) => linkMessages(deps, p));
      for (const p of created) messages.push(...(await reminders(tx, deps, p)));
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
      const at = sendingAt(after.delivery, deps.clock.now());
      const isMoved =
        before.delivery?.sendDateTime !== after.delivery?.sendDateTime &&
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

function messageOf(
  { clock, delaySeconds }: WriteMessagesDeps,
  p: PaymentRequest,
  kind: NewMessage['kind'],
  channel: Channel,
  more: Partial<NewMessage> = {},
): NewMessage {
  const dueAt = more.dueAt ?? clock.now();
  const lateMs = delaySeconds(addressOf(p, channel)) * 1_000;
  const firstAttemptAt = new Date(dueAt.getTime() + lateMs);
  return newMessage(p, { kind, channel, ...more, dueAt, firstAttemptAt });
}

/** The message with the link of a new payment request, under the id that its answer shows. */
function linkMessages(deps: WriteMessagesDeps, p: PaymentRequest): NewMessage[] {
  const channel = channelOf(p.deliveryMode);
  if (!channel || !p.linkMessage) return [];
  const { id, at: dueAt } = p.linkMessage;
  return [messageOf(deps, p, 'REQUEST', channel, { id, dueAt })];
}

/** The reminders that lie between the sending of the link and the expiry (messages §1). */
async function reminders(
  tx: Executor,
  deps: WriteMessagesDeps,
  p: PaymentRequest,
): Promise<NewMessage[]> {
  const channel = channelOf(p.deliveryMode);
  const { reminders: hours = [], quietHours = true } = p.messagePlan ?? {};
  if (!channel || hours.length === 0) return [];
  const zone = (await findProfile(tx, p.merchant.id)).timeZone ?? deps.timeZone;
  const sentAt = sendingAt(p.delivery, deps.clock.now());
  return hours.flatMap((number) => {
    const asked = new Date(p.expiresAt.getTime() - number * HOUR_MS);
    const dueAt = quietHours ? outsideOfNight(asked, p.expiresAt, zone) : asked;
    return dueAt > sentAt ? messageOf(deps, p, 'REMINDER', channel, { number, dueAt }) : [];
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
    const isAsked = after.messagePlan?.receipt && after.payer.email !== null;
    return isAsked ? [messageOf(deps, after, 'RECEIPT', 'EMAIL')] : [];
  }
  if (!MESSAGE_KINDS.CANCELLATION.isTrue(subject)) return [];
  const channel = await findLinkChannel(tx, after.id);
  return channel ? [messageOf(deps, after, 'CANCELLATION', channel)] : [];
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
    if (!p?.messagePlan?.receipt || p.payer.email === null) return [];
    if (status === 'FAILED' && !receipted.has(refundId)) return [];
    const kind = status === 'COMPLETED' ? 'REFUND_RECEIPT' : 'REFUND_RETURNED';
    return [messageOf(deps, p, kind, 'EMAIL', { refundId })];
  });
}

const idOf = ({ id }: { readonly id: string }): string => id;

/** The latest state of each payment request. */
function latestOf(changes: readonly PlannedChange[]): PaymentRequest[] {
  return [...new Map(changes.map(({ after }) => [after.id, after])).values()];
}
