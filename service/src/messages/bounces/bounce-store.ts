import { execute, firstRow, hasRows } from '#database/statements.ts';
import type { MessageAttempt } from '#messages/model/message.ts';
import type { SentMessage } from '#messages/refusal/suppression-store.ts';
import { logged } from '#messages/sending/record-store.ts';
import type { MessageStatus } from '#payment-requests/model/messages/link-message.ts';

/** The mail of a token that is good for 14 days: servers give a mail up after five. */
export const findByToken = firstRow<
  SentMessage & { readonly status: MessageStatus },
  [token: Buffer]
>(
  'message-find-by-bounce-token',
  `SELECT id::text, payment_request_id AS "paymentRequestId", merchant_id AS "merchantId", kind,
     channel, address_hash AS "addressHash", status
   FROM messages
   WHERE bounce_hash = $1 AND status IN ('SCHEDULED', 'SENT')
     AND coalesce(sent_at, service_now()) > service_now() - interval '14 days'`,
);

/** Notes what a server says while it still tries. */
export const noteReport = execute<[id: string, attempt: MessageAttempt]>(
  'message-note-report',
  `UPDATE messages SET ${logged('$2')} WHERE id = $1`,
);

/** Ends a message that came back. Returns whether it was still SENT under this token. */
export const markBounced = hasRows<[id: string, token: Buffer, attempt: MessageAttempt]>(
  'message-mark-bounced',
  `UPDATE messages SET status = 'BOUNCED', reason = coalesce(reason, 'BOUNCED'), bounce_hash = NULL,
     ended_at = service_now(), ${logged('$3')}
   WHERE id = $1 AND bounce_hash = $2 AND status = 'SENT' RETURNING 1`,
);
