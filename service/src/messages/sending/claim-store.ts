import { allRows, execute, firstRow, hasRows } from '#database/statements.ts';
import { ASKING_LIST } from '#messages/model/kinds.ts';
import type { ClaimedMessage } from '#messages/model/message.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';

/** Whether a message of a channel may be due: an idle loop asks nothing else. */
export const isAnyDue = hasRows<[channel: Channel]>(
  'message-any-due',
  `SELECT FROM messages WHERE status = 'SCHEDULED' AND next_attempt_at <= service_now()
     AND channel = $1 AND (leased_until IS NULL OR leased_until <= service_now()) LIMIT 1`,
);

export interface ChannelState {
  readonly isOpen: boolean;
  /** The breaker lets one message through now. */
  readonly mayProbe: boolean;
  /** Messages claimed in the second that runs. */
  readonly claimed: number;
  readonly dataRefusals: number;
}

/** A clock that was set back begins a second of its own. */
const IN_WINDOW = `window_at BETWEEN service_now() - interval '1 second' AND service_now()`;

/** Locks the channel, so that claims come one after another in all processes. */
export const lockChannel = firstRow<ChannelState, [channel: Channel]>(
  'message-lock-channel',
  `SELECT opened_at IS NOT NULL AS "isOpen", coalesce(next_probe_at <= service_now(), false)
       AS "mayProbe",
     CASE WHEN ${IN_WINDOW} THEN claimed ELSE 0 END AS claimed,
     data_refusals AS "dataRefusals"
   FROM message_channels WHERE channel = $1 FOR UPDATE`,
);

/** Counts claimed messages in their second, and lets the next probe wait. */
export const countClaimed = execute<[channel: Channel, claimed: number, probeSeconds: number]>(
  'message-count-claimed',
  `UPDATE message_channels
   SET claimed = CASE WHEN ${IN_WINDOW} THEN claimed ELSE 0 END
         + $2::int,
     window_at = CASE WHEN ${IN_WINDOW} THEN window_at
       ELSE service_now() END,
     next_probe_at = CASE WHEN opened_at IS NOT NULL
       THEN service_now() + make_interval(secs => $3) END
   WHERE channel = $1`,
);

const FREE = '(g.leased_until IS NULL OR g.leased_until <= service_now())';
const MAY_GO = `g.channel = $1 AND ${FREE}
  AND (m.status = 'ACTIVE' OR g.kind NOT IN (${ASKING_LIST}))`;

/**
 * Leases due messages. Merchants take turns, and no reminder goes before another message: each
 * merchant's due messages are read off the only index with the whole order. An order by time alone
 * let the planner read the due messages of all merchants for each merchant. A suspended merchant's
 * messages that ask for money wait. A row that another transaction holds is left for later: a wait
 * would hold the lock of the channel, and so all messages of all merchants.
 */
export const claimMessages = allRows<
  ClaimedMessage,
  [channel: Channel, limit: number, leaseToken: string, leaseSeconds: number]
>(
  'message-claim',
  `WITH owners AS (
     SELECT DISTINCT m.id AS merchant_id FROM messages g JOIN merchants m ON m.id = g.merchant_id
     WHERE g.status = 'SCHEDULED' AND g.next_attempt_at <= service_now() AND ${MAY_GO}
   ), due AS MATERIALIZED (
     SELECT t.id FROM owners o JOIN merchants m ON m.id = o.merchant_id
     CROSS JOIN (VALUES (0), (1)) AS p (priority)
     CROSS JOIN LATERAL (
       SELECT g.id, p.priority, g.next_attempt_at,
         row_number() OVER (ORDER BY g.next_attempt_at, g.id) AS turn
       FROM (
         SELECT g.id, g.next_attempt_at FROM messages g
         WHERE (g.merchant_id, g.priority, g.next_attempt_at)
             BETWEEN (o.merchant_id, p.priority, timestamptz '-infinity')
               AND (o.merchant_id, p.priority, service_now())
           AND g.status = 'SCHEDULED' AND ${MAY_GO}
         ORDER BY g.merchant_id, g.priority, g.next_attempt_at LIMIT $2) g) t
     ORDER BY t.priority, t.turn, t.next_attempt_at LIMIT $2
   ), held AS MATERIALIZED (
     SELECT g.id FROM messages g
     WHERE g.id IN (SELECT id FROM due) AND g.status = 'SCHEDULED' AND ${FREE}
     FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE messages g
   SET lease_token = $3, leased_until = service_now() + make_interval(secs => $4),
     attempts = g.attempts + 1
   FROM held
   WHERE g.id = held.id
   RETURNING g.id, g.payment_request_id AS "paymentRequestId", g.merchant_id AS "merchantId",
     g.kind, g.refund_id AS "refundId", g.channel, g.due_at AS "dueAt", g.attempts,
     coalesce((g.attempt_log -> 0 ->> 'endDateTime')::timestamptz, service_now()) AS "triedSince"`,
);

/**
 * Extends a lease that this process still holds, and notes the address that is about to be named:
 * the recipient may follow a link of the mail before the end of the exchange is recorded.
 *
 * @returns whether the process holds the lease
 */
export const extendLease = hasRows<
  [id: string, leaseToken: string, leaseSeconds: number, addressHash: Buffer | null]
>(
  'message-extend-lease',
  `UPDATE messages SET leased_until = service_now() + make_interval(secs => $3), address_hash = $4
   WHERE id = $1 AND lease_token = $2 AND leased_until > service_now() RETURNING 1`,
);
