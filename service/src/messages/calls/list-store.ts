import type { Executor } from '#database/database.ts';
import type { PageQuery } from '#database/lists/list.ts';
import { allRows, firstRow } from '#database/statements.ts';
import type { StoredMessage } from '#messages/model/message.ts';

/** The columns of a stored message `g`. */
export const MESSAGE_COLUMNS = `g.id::text, g.payment_request_id::text AS "paymentRequestId",
  g.merchant_id AS "merchantId", g.kind, g.channel, g.status, g.reason, g.due_at AS "dueAt",
  g.sent_at AS "sentAt", g.next_attempt_at AS "nextAttemptAt", g.attempts,
  g.attempt_log AS "attemptLog", g.created_at AS "createdAt",
  (SELECT json_build_object('subject', i.subject, 'text', i.text) FROM message_inbox i
   WHERE i.message_id = g.id) AS preview`;

const findPage = allRows<
  StoredMessage,
  [paymentRequestId: string, after: string | null, limit: number]
>(
  'message-page',
  `SELECT ${MESSAGE_COLUMNS} FROM messages g
   WHERE g.payment_request_id = $1 AND ($2::uuid IS NULL OR g.id < $2)
   ORDER BY g.id DESC LIMIT $3`,
);

/** A page of the messages about a payment request, newest first. */
export function findMessagePage(
  db: Executor,
  { merchantId: paymentRequestId, after, limit }: PageQuery<object, { readonly id: string }>,
): Promise<StoredMessage[]> {
  return findPage(db, paymentRequestId, after?.id ?? null, limit);
}

export interface AskedCount {
  /** Messages with the link that POST asked for in the last 24 hours. */
  readonly count: number;
  /** When the first of them is 24 hours old, in seconds from now. */
  readonly waitSeconds: number;
  /** The number of the next message with the link. */
  readonly nextNumber: number;
}

/** The messages with the link of a locked payment request. */
export const countAsked = firstRow<AskedCount, [paymentRequestId: string]>(
  'message-count-asked',
  `SELECT count(*) FILTER (WHERE recent)::int AS count,
     coalesce(ceil(extract(epoch FROM min(created_at) FILTER (WHERE recent)
       + interval '24 hours' - service_now())), 0)::int AS "waitSeconds",
     coalesce(max(number), -1) + 1 AS "nextNumber"
   FROM (SELECT number, created_at,
           is_asked AND created_at > service_now() - interval '24 hours' AS recent
         FROM messages WHERE payment_request_id = $1 AND kind = 'REQUEST') asked`,
);
