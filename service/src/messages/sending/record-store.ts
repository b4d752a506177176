import { execute, firstValue, hasRows } from '#database/statements.ts';
import type { InboxContent, MessageAttempt } from '#messages/model/message.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import type {
  MessageReason,
  MessageStatus,
} from '#payment-requests/model/messages/link-message.ts';

/** The outcome of an attempt, for the row of its message. */
export interface AttemptRecord {
  readonly id: string;
  readonly leaseToken: string;
  /** null: another attempt follows. */
  readonly status: Exclude<MessageStatus, 'SCHEDULED'> | null;
  readonly reason: MessageReason | null;
  /** The wait before the next attempt; null: the message is over, or was sent. */
  readonly waitSeconds: number | null;
  /** null: nothing was tried. */
  readonly attempt: MessageAttempt | null;
  readonly hasLeft: boolean;
  readonly addressHash: Buffer | null;
  readonly language: string | null;
  readonly contentHash: Buffer | null;
  /** null: it was rendered with the texts of the deployment alone, or not at all. */
  readonly template: { readonly id: string; readonly version: number } | null;
}

/** The schedule takes 28 attempts in a day; the rest stays countable in `attempts`. */
const MOST_LOGGED = 40;

/** Appends an attempt, or a report about one, to the log; null: nothing. */
export const logged = (attempt: string) => `attempt_log = CASE
  WHEN ${attempt}::jsonb IS NULL OR jsonb_array_length(attempt_log) >= ${MOST_LOGGED}
    THEN attempt_log
  ELSE attempt_log || jsonb_build_array(${attempt}::jsonb) END`;

/** Records an attempt under its lease; a lease that another process took over hits no row. */
export const recordAttempt = hasRows(
  'message-record',
  `UPDATE messages SET status = coalesce($3, status), reason = $4,
     next_attempt_at = CASE WHEN $3::text IS NULL
       THEN greatest(service_now() + make_interval(secs => $5::float8), due_at) END,
     ${logged('$6')},
     attempts = attempts - CASE WHEN $6::jsonb IS NULL THEN 1 ELSE 0 END,
     sent_at = CASE WHEN $7 THEN service_now() END,
     ended_at = CASE WHEN $3::text IS NOT NULL AND $3 <> 'SENT' THEN service_now() END,
     address_hash = coalesce($8, address_hash), language = coalesce($9, language),
     content_hash = coalesce($10, content_hash), template_id = coalesce($11, template_id),
     template_version = coalesce($12, template_version), lease_token = NULL, leased_until = NULL
   WHERE id = $1 AND lease_token = $2 RETURNING 1`,
  (record: AttemptRecord) => [
    record.id,
    record.leaseToken,
    record.status,
    record.reason,
    record.waitSeconds,
    record.attempt && JSON.stringify(record.attempt),
    record.hasLeft,
    record.addressHash,
    record.language,
    record.contentHash,
    record.template?.id ?? null,
    record.template?.version ?? null,
  ],
);

/** Opens a channel's breaker, or keeps it open. Returns whether it was closed. */
export const openBreaker = hasRows<[channel: Channel, reason: string, probeSeconds: number]>(
  'message-open-breaker',
  `WITH before AS (
     SELECT opened_at FROM message_channels WHERE channel = $1 FOR UPDATE
   ), opened AS (
     UPDATE message_channels SET opened_at = coalesce(opened_at, service_now()), reason = $2,
       next_probe_at = service_now() + make_interval(secs => $3)
     WHERE channel = $1)
   SELECT FROM before WHERE opened_at IS NULL`,
);

/** A message was taken: the channel is well. */
export const closeBreaker = execute<[channel: Channel]>(
  'message-close-breaker',
  `UPDATE message_channels SET opened_at = NULL, next_probe_at = NULL, reason = NULL,
     data_refusals = 0
   WHERE channel = $1 AND (opened_at IS NOT NULL OR data_refusals > 0)`,
);

/** Counts a refusal of a mail. Returns how many there were in a row before it. */
export const countDataRefusal = firstValue<number, [channel: Channel]>(
  'message-count-data-refusal',
  `UPDATE message_channels SET data_refusals = data_refusals + 1 WHERE channel = $1
   RETURNING data_refusals - 1 AS before`,
  0,
);

/** Keeps what the sandbox "sent". */
export const keepInInbox = execute<[messageId: string, content: InboxContent]>(
  'message-keep-in-inbox',
  `INSERT INTO message_inbox (message_id, subject, text, html, headers)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (message_id) DO UPDATE SET subject = excluded.subject, text = excluded.text,
     html = excluded.html, headers = excluded.headers`,
  (messageId, { subject, text, html, headers }) => [messageId, subject, text, html, headers],
);
