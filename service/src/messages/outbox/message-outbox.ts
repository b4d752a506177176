import { columnsOf } from '#database/columns.ts';
import type { Executor } from '#database/database.ts';
import { allRows, allValues, execute } from '#database/statements.ts';
import { ASKING_LIST, MESSAGE_KINDS } from '#messages/model/kinds.ts';
import type { NewMessage } from '#messages/model/message.ts';

/** Writes messages; a message that is there already stays as it is. */
export const insertMessages = execute(
  'message-insert',
  `INSERT INTO messages (id, payment_request_id, merchant_id, kind, number, refund_id, channel,
     is_asked, due_at, next_attempt_at, priority)
   SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int[], $6::uuid[],
     $7::text[], $8::boolean[], $9::timestamptz[], $10::timestamptz[], $11::smallint[])
   ON CONFLICT ON CONSTRAINT messages_number DO NOTHING`,
  (messages: readonly NewMessage[]) => [
    ...columnsOf(messages)('id', 'paymentRequestId', 'merchantId', 'kind', 'number', 'refundId'),
    ...columnsOf(messages)('channel', 'isAsked', 'dueAt', 'firstAttemptAt'),
    messages.map(({ kind }) => (MESSAGE_KINDS[kind].isReminder ? 1 : 0)),
  ],
);

export interface CancelledMessage {
  readonly id: string;
  readonly endedAt: Date;
}

/** Cancels the messages that ask for money and that no sender holds, and returns them. */
export const cancelAsking = allRows<CancelledMessage, [paymentRequestIds: readonly string[]]>(
  'message-cancel-asking',
  `UPDATE messages SET status = 'CANCELLED', reason = 'NO_LONGER_TRUE', next_attempt_at = NULL,
     lease_token = NULL, leased_until = NULL, ended_at = service_now()
   WHERE payment_request_id = ANY ($1::uuid[]) AND kind IN (${ASKING_LIST}) AND status = 'SCHEDULED'
     AND (leased_until IS NULL OR leased_until <= service_now())
   RETURNING id::text, ended_at AS "endedAt"`,
);

/**
 * Moves the first sending of the link; a sender that holds it looks at the time once more.
 * @returns its id
 */
export const moveSending = allValues<string, [paymentRequestId: string, dueAt: Date]>(
  'message-move-sending',
  `UPDATE messages SET due_at = $2, next_attempt_at = $2
   WHERE payment_request_id = $1 AND kind = 'REQUEST' AND NOT is_asked AND status = 'SCHEDULED'
   RETURNING id::text`,
);

/** Deletes the reminders that no sender has tried, so that they are planned again. */
export const deleteUnsentReminders = execute<[paymentRequestId: string]>(
  'message-delete-unsent-reminders',
  `DELETE FROM messages
   WHERE payment_request_id = $1 AND kind = 'REMINDER' AND status = 'SCHEDULED' AND attempts = 0`,
);

/** Brings the scheduled messages of a payment request forward, in the sandbox. */
export const advanceMessages = execute<[paymentRequestId: string, us: number]>(
  'message-advance',
  `UPDATE messages SET due_at = due_at - $2 * interval '1 us',
     next_attempt_at = next_attempt_at - $2 * interval '1 us'
   WHERE payment_request_id = $1 AND next_attempt_at IS NOT NULL`,
);

/** A sender that holds the lease stops at its last read, and records nothing. */
const cancelScheduled = execute<[paymentRequestIds: readonly string[]]>(
  'message-erasure-cancel',
  `UPDATE messages SET status = 'CANCELLED', reason = 'NO_ADDRESS', next_attempt_at = NULL,
     lease_token = NULL, leased_until = NULL, ended_at = service_now()
   WHERE payment_request_id = ANY ($1::uuid[]) AND status = 'SCHEDULED'`,
);

const emptyInbox = execute<[paymentRequestIds: readonly string[]]>(
  'message-erasure-empty-inbox',
  `DELETE FROM message_inbox WHERE message_id IN (
     SELECT id FROM messages WHERE payment_request_id = ANY ($1::uuid[]))`,
);

/**
 * Erases a payer in messages (contract §10): what is scheduled goes nowhere, and what the sandbox
 * "sent" is deleted. The hash of the address stays: forgetting it would write to the person again.
 */
export async function eraseMessages(
  tx: Executor,
  paymentRequestIds: readonly string[],
): Promise<void> {
  await cancelScheduled(tx, paymentRequestIds);
  await emptyInbox(tx, paymentRequestIds);
}
