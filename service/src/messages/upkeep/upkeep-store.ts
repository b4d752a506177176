import { firstRow, rowCount } from '#database/statements.ts';
import { ASKING_LIST } from '#messages/model/kinds.ts';

/** Deletes at most `limit` messages of the sandbox's inbox of that age. Returns how many. */
export const pruneInbox = rowCount<[days: number, limit: number]>(
  'message-prune-inbox',
  `DELETE FROM message_inbox WHERE message_id IN (
     SELECT message_id FROM message_inbox
     WHERE created_at <= service_now() - make_interval(days => $1)
     ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

/** Forgets the attempts of at most `limit` messages of that age. Returns how many. */
export const pruneAttempts = rowCount<[days: number, limit: number]>(
  'message-prune-attempts',
  `UPDATE messages SET attempt_log = '[]', bounce_hash = NULL WHERE id IN (
     SELECT id FROM messages
     WHERE attempt_log <> '[]' AND created_at <= service_now() - make_interval(days => $1)
       AND status <> 'SCHEDULED'
     ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);

export interface ChannelGauges {
  /** How long the oldest due message waits to be sent, in seconds. */
  readonly waitSeconds: number;
  /** Channels whose breaker is open. */
  readonly broken: number;
  /** How long a merchant's messages wait because of its limit in an hour, in seconds. */
  readonly limitSeconds: number;
}

/**
 * Reads the oldest due messages of each channel; what waits because its merchant is suspended, or
 * has sent enough, does not wait to be sent.
 */
export const readChannelGauges = firstRow<ChannelGauges>(
  'message-gauges',
  `SELECT coalesce(max(extract(epoch FROM service_now() - oldest.next_attempt_at)), 0)::float8
       AS "waitSeconds",
     (SELECT count(opened_at) FROM message_channels)::float8 AS broken,
     (SELECT coalesce(max(extract(epoch FROM service_now() - t.waiting_since)), 0)
      FROM message_turns t
      WHERE t.waits_until > service_now() AND EXISTS (
        SELECT FROM messages g
        WHERE g.merchant_id = t.merchant_id AND g.priority IN (0, 1) AND g.channel = t.channel
          AND g.status = 'SCHEDULED' AND g.next_attempt_at <= service_now()))::float8
       AS "limitSeconds"
   FROM message_channels c CROSS JOIN (VALUES (0), (1)) AS p (priority) LEFT JOIN LATERAL (
     SELECT g.next_attempt_at FROM messages g JOIN merchants m ON m.id = g.merchant_id
     LEFT JOIN message_turns t ON t.merchant_id = m.id AND t.channel = g.channel
     WHERE g.channel = c.channel AND g.priority = p.priority AND g.status = 'SCHEDULED'
       AND (t.waits_until IS NULL OR t.waits_until <= service_now())
       AND g.next_attempt_at <= service_now()
       AND (m.status = 'ACTIVE' OR g.kind NOT IN (${ASKING_LIST}))
     ORDER BY g.next_attempt_at LIMIT 1) oldest ON true`,
);

export interface MessageShares {
  /** The highest share of a merchant's mails of a day that came back. */
  readonly bounced: number;
  /** The highest share of a merchant's links of a day whose recipient refused them. */
  readonly refused: number;
}

const OF_DAY = `> service_now() - interval '24 hours'`;
/** Fewer say nothing about a merchant (messages §5). */
const LEAST_CASES = 5;

const shareOf = (cases: string, sent: string) => `(
  SELECT coalesce(max(c.count / greatest(s.count, c.count)::float8), 0)
  FROM (SELECT merchant_id, count(*) FROM ${cases}
        GROUP BY merchant_id HAVING count(*) >= ${LEAST_CASES}) c
  CROSS JOIN LATERAL (
    SELECT count(*) FROM messages g WHERE g.merchant_id = c.merchant_id AND g.channel = 'EMAIL'
      AND g.sent_at ${OF_DAY} AND ${sent}) s)`;

/** Reads the shares of the last 24 hours; an outcome of the sandbox is none. */
export const readMessageShares = firstRow<MessageShares>(
  'message-shares',
  `SELECT ${shareOf(
    `messages WHERE status = 'BOUNCED' AND ended_at ${OF_DAY}
       AND attempt_log -> -1 ->> 'outcome' LIKE 'FAILED 5.%'`,
    'true',
  )} AS bounced,
   ${shareOf(
     `message_suppressions WHERE reason = 'RECIPIENT_REFUSED' AND created_at ${OF_DAY}`,
     `g.kind = 'REQUEST'`,
   )} AS refused`,
);
