import { allRows, execute, firstRow, hasRows } from '#database/statements.ts';
import { ASKING_LIST } from '#messages/model/kinds.ts';
import type { ClaimedMessage } from '#messages/model/message.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';

/** Whether a message of a channel may be due: an idle loop asks nothing else. */
export const isAnyDue = hasRows<[channel: Channel]>(
  'message-any-due',
  `SELECT FROM messages WHERE status = 'SCHEDULED' AND next_attempt_at <= service_now()
     AND channel = $1 AND priority IN (0, 1)
     AND (leased_until IS NULL OR leased_until <= service_now()) LIMIT 1`,
);

export interface ChannelState {
  readonly isOpen: boolean;
  /** The breaker lets one message through now. */
  readonly mayProbe: boolean;
  /** Messages claimed in the last second. */
  readonly claimed: number;
}

/**
 * A claim counts for a second. A process that paused at its claim has an earlier time than others;
 * a clock that was set back further forgets them.
 */
const IS_RECENT = `w.at > service_now() - interval '1 second'
  AND w.at < service_now() + interval '1 minute'`;

/**
 * Locks the channel, so that claims come one after another in all processes. No row: another
 * process claims, and a wait for it would make this transaction's time the past.
 */
export const lockChannel = firstRow<ChannelState, [channel: Channel]>(
  'message-lock-channel',
  `SELECT opened_at IS NOT NULL AS "isOpen", coalesce(next_probe_at <= service_now(), false)
       AS "mayProbe",
     (SELECT coalesce(sum(w.count), 0)::int
      FROM unnest(claimed_at, claimed) AS w (at, count) WHERE ${IS_RECENT}) AS claimed
   FROM message_channels WHERE channel = $1 FOR UPDATE SKIP LOCKED`,
);

/** Counts claimed messages at their time, and lets the next probe wait. */
export const countClaimed = execute<[channel: Channel, claimed: number, probeSeconds: number]>(
  'message-count-claimed',
  `UPDATE message_channels c
   SET (claimed_at, claimed) = (
       SELECT array_agg(w.at), array_agg(w.count)
       FROM (SELECT * FROM unnest(c.claimed_at, c.claimed) AS w (at, count) WHERE ${IS_RECENT}
             UNION ALL SELECT service_now(), $2::int) w),
     next_probe_at = CASE WHEN opened_at IS NOT NULL
       THEN service_now() + make_interval(secs => $3) END
   WHERE channel = $1`,
);

const FREE = '(g.leased_until IS NULL OR g.leased_until <= service_now())';
const MAY_GO = `${FREE} AND (m.status = 'ACTIVE' OR g.kind NOT IN (${ASKING_LIST}))`;
/** The limit of a merchant `m` in an hour, by the channel. */
const PER_HOUR = `coalesce(
  CASE $1 WHEN 'EMAIL' THEN m.mails_per_hour ELSE m.sms_per_hour END, $5::int)`;
/** A merchant whose messages leave one by one, as its hour goes on, waits all the time. */
const STILL_WAITS = `t.waits_until > service_now() - interval '1 minute'`;

/** Many times what a process sends at once, so that a claim has owners to choose from. */
const MOST_LOOKED_AT = 64;
const PRIORITIES = '(VALUES (0), (1)) AS p (priority)';
/** Each part has the order of one index alone: statistics may know nothing of what waits. */
const DUE = `g.status = 'SCHEDULED' AND (g.priority, g.channel, g.next_attempt_at)
  BETWEEN (p.priority, $1, timestamptz '-infinity') AND (p.priority, $1, service_now())`;
/** Due messages at one end of the queue. */
const endOfQueue = (order: 'ASC' | 'DESC') => `
  (SELECT g.merchant_id, g.kind, g.leased_until, g.next_attempt_at FROM messages g WHERE ${DUE}
   ORDER BY g.priority ${order}, g.channel ${order}, g.next_attempt_at ${order}
   LIMIT ${MOST_LOOKED_AT})`;
/** The first due messages of a merchant `m` that may go. */
const dueOfMerchant = (limit: string) => `(
  SELECT g.id, g.priority, g.next_attempt_at FROM messages g
  WHERE g.status = 'SCHEDULED' AND g.merchant_id = m.id AND g.channel = $1
    AND g.priority = p.priority AND g.next_attempt_at <= service_now() AND ${MAY_GO}
  ORDER BY g.next_attempt_at LIMIT ${limit})`;
/** The first merchant after another one with a message of any channel that is not sent. */
const merchantAfter = (earlier: string) => `
  (SELECT g.merchant_id FROM messages g
   WHERE g.status = 'SCHEDULED' AND (g.merchant_id, g.channel) > (${earlier}, '~')
   ORDER BY g.merchant_id, g.channel LIMIT 1)`;
/** OFFSET 0 keeps a table by itself: joined to few rows as it looks best, all of it is read. */
const merchantOf = (row: string) => `CROSS JOIN LATERAL (
  SELECT id, status, mails_per_hour, sms_per_hour FROM merchants
  WHERE id = ${row}.merchant_id OFFSET 0) m`;

/**
 * Leases due messages. Merchants take turns: the ones that were served longest ago come first, and
 * no reminder goes before another message. The due messages of those merchants alone are read, off
 * the only index with the whole order, as many as the merchant's hour has left; a merchant without
 * any rest waits until it has one. A suspended merchant's messages that ask for money wait. A row
 * that another transaction holds is left for later: a wait would hold the lock of the channel, and
 * so all messages of all merchants.
 *
 * However much waits, a claim chooses among few merchants: those of the newest and of
 * the oldest due messages, and the next ones of a walk over all, whose place the channel keeps.
 * The newest let a message leave at once behind a merchant whose messages wait, the oldest go on in
 * their order, and the walk leaves out nobody.
 */
export const claimMessages = allRows<
  ClaimedMessage,
  [channel: Channel, limit: number, leaseToken: string, leaseSeconds: number, perHour: number]
>(
  'message-claim',
  `WITH RECURSIVE walk (place, merchant_id) AS (
     SELECT 1, ${merchantAfter('c.walked_to')} FROM message_channels c WHERE c.channel = $1
     UNION ALL
     SELECT w.place + 1, ${merchantAfter('w.merchant_id')} FROM walk w
     WHERE w.merchant_id IS NOT NULL AND w.place < ${MOST_LOOKED_AT}
   ), walked AS (
     UPDATE message_channels SET walked_to = coalesce(
       (SELECT w.merchant_id FROM walk w WHERE w.place = ${MOST_LOOKED_AT}), '')
     WHERE channel = $1
   ), found AS MATERIALIZED (
     SELECT g.merchant_id, p.priority, g.next_attempt_at FROM ${PRIORITIES}
     CROSS JOIN LATERAL (${endOfQueue('ASC')} UNION ALL ${endOfQueue('DESC')}) g
     ${merchantOf('g')}
     WHERE ${MAY_GO}
     UNION ALL
     SELECT m.id, p.priority, g.next_attempt_at FROM walk w ${merchantOf('w')}
     CROSS JOIN ${PRIORITIES}
     CROSS JOIN LATERAL ${dueOfMerchant('1')} g
   ), owners AS MATERIALIZED (
     SELECT m.id, f.priority, t.served_at, ${PER_HOUR} AS most
     FROM (
       SELECT merchant_id, min(priority) AS priority, min(next_attempt_at) AS first_due_at
       FROM found GROUP BY merchant_id) f
     ${merchantOf('f')}
     LEFT JOIN LATERAL (
       SELECT served_at, waits_until FROM message_turns
       WHERE merchant_id = m.id AND channel = $1 OFFSET 0) t ON true
     WHERE t.waits_until IS NULL OR t.waits_until <= service_now()
     ORDER BY f.priority, t.served_at NULLS FIRST, f.first_due_at, m.id LIMIT $2
   ), allowed AS MATERIALIZED (
     SELECT o.*, o.most
       - (SELECT count(*) FROM messages s WHERE s.merchant_id = o.id AND s.channel = $1
            AND s.sent_at > service_now() - interval '1 hour')
       - (SELECT count(*) FROM messages l WHERE l.merchant_id = o.id AND l.channel = $1
            AND l.lease_token IS NOT NULL AND l.leased_until > service_now()) AS rest
     FROM owners o
   ), waiting AS (
     INSERT INTO message_turns AS t (merchant_id, channel, waits_until, waiting_since)
     SELECT o.id, $1, coalesce(
         (SELECT s.sent_at + interval '1 hour' FROM messages s
          WHERE s.merchant_id = o.id AND s.channel = $1
            AND s.sent_at > service_now() - interval '1 hour'
          ORDER BY s.sent_at DESC OFFSET o.most - 1 LIMIT 1),
         service_now() + interval '5 seconds'), service_now()
     FROM allowed o WHERE o.rest <= 0
     ON CONFLICT (merchant_id, channel) DO UPDATE SET waits_until = excluded.waits_until,
       waiting_since = CASE WHEN ${STILL_WAITS} THEN t.waiting_since ELSE service_now() END
   ), due AS MATERIALIZED (
     SELECT d.id FROM allowed o CROSS JOIN LATERAL (
       SELECT t.*, row_number() OVER (ORDER BY t.priority, t.next_attempt_at, t.id) AS turn
       FROM merchants m CROSS JOIN ${PRIORITIES}
       CROSS JOIN LATERAL ${dueOfMerchant('$2')} t
       WHERE m.id = o.id) d
     WHERE d.turn <= o.rest
     ORDER BY d.priority, d.turn, o.served_at NULLS FIRST, d.next_attempt_at LIMIT $2
   ), held AS MATERIALIZED (
     SELECT g.id FROM messages g
     WHERE g.id IN (SELECT id FROM due) AND g.status = 'SCHEDULED' AND ${FREE}
     FOR NO KEY UPDATE SKIP LOCKED
   ), claimed AS (
     UPDATE messages g
     SET lease_token = $3, leased_until = service_now() + make_interval(secs => $4),
       attempts = g.attempts + 1, named_at = NULL
     FROM held
     WHERE g.id = held.id
     RETURNING g.*
   ), served AS (
     INSERT INTO message_turns AS t (merchant_id, channel, served_at)
     SELECT g.merchant_id, $1, clock_timestamp() FROM claimed g GROUP BY g.merchant_id
     ON CONFLICT (merchant_id, channel) DO UPDATE SET served_at = excluded.served_at
   )
   SELECT g.id, g.payment_request_id AS "paymentRequestId", g.merchant_id AS "merchantId",
     g.kind, g.refund_id AS "refundId", g.channel, g.is_asked AS "isAsked",
     g.due_at AS "dueAt", g.attempts,
     coalesce((g.attempt_log -> 0 ->> 'endDateTime')::timestamptz, service_now()) AS "triedSince"
   FROM claimed g`,
);

/**
 * Extends a lease that this process still holds, and notes the address that is about to be named:
 * the recipient may follow a link of the mail, and its server may return it, before the end of the
 * exchange is recorded.
 *
 * @returns whether the process holds the lease
 */
export const extendLease = hasRows<
  [
    ...[id: string, leaseToken: string, leaseSeconds: number],
    ...[addressHash: Buffer, bounceHash: Buffer | null],
  ]
>(
  'message-extend-lease',
  `UPDATE messages SET leased_until = service_now() + make_interval(secs => $3), address_hash = $4,
     bounce_hash = $5, named_at = service_now()
   WHERE id = $1 AND lease_token = $2 AND leased_until > service_now() RETURNING 1`,
);
