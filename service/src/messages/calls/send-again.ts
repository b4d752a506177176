import type { Executor } from '#database/database.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { reachedAddress } from '#messages/model/kinds.ts';
import { type NewMessageDeps, newMessage, type StoredMessage } from '#messages/model/message.ts';
import { insertMessages } from '#messages/outbox/message-outbox.ts';
import { followMessages } from '#payment-requests/change/update-store.ts';
import { fault } from '#payment-requests/model/field-rules.ts';
import { type Channel, channelOf } from '#payment-requests/model/messages/delivery.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestAt } from '#payment-requests/model/plan-change.ts';
import { isOpen, refusalOfStatus } from '#payment-requests/model/statuses.ts';
import { lockOwnPaymentRequest } from '#payment-requests/status/lock-own.ts';
import { countAsked } from './list-store.ts';
import type { NewMessageBody } from './schemas.ts';

export interface SendAgainDeps extends NewMessageDeps {
  /** The channels of this deployment. */
  readonly channels: readonly Channel[];
  /** `SMS_COUNTRY_CODE` */
  readonly smsCountryCode: string;
}

export interface AskedMessage {
  readonly id: string;
  readonly body: Partial<NewMessageBody>;
  /** The schema's faults of the body. */
  readonly faults: readonly FieldFault[];
}

/** A payer who has lost the link asks once or twice; more is a nuisance (messages §2). */
const MOST_IN_A_DAY = 5;

/**
 * Sends the payer the link again, in the caller's transaction (messages §2).
 *
 * @throws Problem PAYMENT_REQUEST_NOT_FOUND, VALIDATION_ERROR, the 409 of its status,
 *         NO_DELIVERY_CHANNEL, MESSAGE_LIMIT_REACHED
 */
export async function sendAgain(
  tx: Executor,
  deps: SendAgainDeps,
  merchantId: string,
  { id, body, faults }: AskedMessage,
): Promise<StoredMessage> {
  throwFaults(faults);
  const locked = await lockOwnPaymentRequest(tx, merchantId, id);
  const now = deps.clock.now();
  const { status } = paymentRequestAt(locked, now);
  if (!isOpen(status)) throw refusalOfStatus(status);
  const channel = body.channel ?? channelOf(locked.deliveryMode);
  if (channel === null) throw new Problem('NO_DELIVERY_CHANNEL');
  throwFaults(channelFaults(deps, locked, channel));
  const asked = await countAsked(tx, locked.id);
  if (asked && asked.count >= MOST_IN_A_DAY) {
    const headers = { 'retry-after': `${Math.max(1, asked.waitSeconds)}` };
    throw new Problem('MESSAGE_LIMIT_REACHED', { headers });
  }
  const about = { number: asked?.nextNumber ?? 0, isAsked: true, dueAt: now };
  const message = newMessage(deps, locked, { kind: 'REQUEST', channel, ...about });
  await insertMessages(tx, [message]);
  if (!locked.messagePlan) await followMessages(tx, locked.id);
  const rest = { reason: null, sentAt: null, attempts: 0, attemptLog: [], preview: null };
  const nextAttemptAt = message.firstAttemptAt;
  return { ...message, status: 'SCHEDULED', createdAt: now, nextAttemptAt, ...rest };
}

function channelFaults(
  { channels, smsCountryCode }: SendAgainDeps,
  locked: PaymentRequest,
  channel: Channel,
): FieldFault[] {
  if (!channels.includes(channel)) {
    return [fault('channel', 'INVALID_VALUE', `This deployment sends no ${channel}.`)];
  }
  if (reachedAddress(locked, channel, smsCountryCode) !== null) return [];
  const message = `Give a channel on which the payer has an address: there is none for ${channel}.`;
  return [fault('channel', 'INVALID_VALUE', message)];
}
