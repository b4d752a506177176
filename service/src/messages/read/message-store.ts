import type { Executor } from '#database/database.ts';
import type { CreatedRange } from '#database/lists/created-range.ts';
import type { PageQuery } from '#database/lists/list.ts';
import { allRows, firstRow, firstRowOr, firstValue } from '#database/statements.ts';
import { MESSAGE_COLUMNS } from '#messages/calls/list-store.ts';
import type { InboxContent, StoredMessage } from '#messages/model/message.ts';
import { UNDELIVERED } from '#messages/model/undelivered.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import { isOpen, sqlListOf } from '#payment-requests/model/statuses.ts';

/** A number above this says only that there are more. */
export const MOST_COUNTED = 1_000;

/** The filters of a list of messages; null for one that is left out. */
export interface MessageFilters extends CreatedRange {
  readonly statuses: readonly string[] | null;
  readonly kinds: readonly string[] | null;
  readonly channel: string | null;
  readonly paymentRequestId: string | null;
  readonly isUndelivered: boolean;
}

/** The condition of the indexes of links that did not arrive. */
const HAS_FAILED = `g.kind = 'REQUEST' AND g.status IN ('${UNDELIVERED.join("', '")}')`;
/** The payer could still pay, and no later message has the link. */
const IS_OWED = `EXISTS (SELECT FROM payment_requests p WHERE p.id = g.payment_request_id
    AND p.status IN (${sqlListOf(isOpen)}) AND p.expires_at > service_now() OFFSET 0)
  AND NOT EXISTS (SELECT FROM messages n WHERE n.payment_request_id = g.payment_request_id
    AND n.kind = 'REQUEST' AND n.number > g.number OFFSET 0)`;

/**
 * A page of messages, newest first. The statement has no name, so that PostgreSQL plans each
 * execution for its filters.
 *
 * @param asked without an owner: the messages of all merchants
 */
export function findMessages(
  db: Executor,
  {
    merchantId,
    filters,
    after,
    limit,
  }: PageQuery<MessageFilters, { readonly id: string }, string | null>,
): Promise<StoredMessage[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { statuses, kinds, channel, paymentRequestId, createdFrom, createdTo } = filters;
  const conditions = [
    'true',
    ...(merchantId === null ? [] : [`g.merchant_id = ${bind(merchantId)}`]),
    ...(filters.isUndelivered ? [HAS_FAILED, IS_OWED] : []),
    ...(statuses === null ? [] : [`g.status = ANY (${bind(statuses)}::text[])`]),
    ...(kinds === null ? [] : [`g.kind = ANY (${bind(kinds)}::text[])`]),
    ...(channel === null ? [] : [`g.channel = ${bind(channel)}`]),
    ...(paymentRequestId === null ? [] : [`g.payment_request_id = ${bind(paymentRequestId)}`]),
    ...(createdFrom === null ? [] : [`g.created_at >= ${bind(createdFrom)}`]),
    ...(createdTo === null ? [] : [`g.created_at < ${bind(createdTo)}`]),
    ...(after === null ? [] : [`g.id < ${bind(after.id)}`]),
  ];
  const text = `SELECT ${MESSAGE_COLUMNS} FROM messages g WHERE ${conditions.join(' AND ')}
    ORDER BY g.id DESC LIMIT ${bind(limit)}`;
  return db.query<StoredMessage>({ name: '', text }, values);
}

const ofMerchant = 'g.merchant_id = $1';
const upTo = (conditions: string, order = '') =>
  `(SELECT * FROM messages g WHERE ${conditions} ${order} LIMIT ${MOST_COUNTED + 1}) g`;
const undeliveredOf = (owner: string) => `SELECT count(*)::int AS undelivered
  FROM ${upTo(`${HAS_FAILED} AND ${owner}`, 'ORDER BY g.id DESC')} WHERE ${IS_OWED}`;

/** A merchant's links that did not arrive, among the newest 1,001 that ended so. */
export const countUndelivered = firstValue<number, [merchantId: string]>(
  'message-count-undelivered',
  undeliveredOf(ofMerchant),
  0,
);

export interface MessageCounts {
  readonly all: number;
  readonly waiting: number;
  readonly undelivered: number;
}

const NONE: MessageCounts = { all: 0, waiting: 0, undelivered: 0 };
const countsOf = (owner: string) => `SELECT
  (SELECT count(*)::int FROM ${upTo(owner)}) AS all,
  (SELECT count(*)::int FROM ${upTo(`${owner} AND g.status = 'SCHEDULED'`)}) AS waiting,
  (${undeliveredOf(owner)}) AS undelivered`;

/** The numbers of the list's tabs, up to the bound each; the indexes have them. */
export const countOwn = firstRowOr<MessageCounts, [merchantId: string]>(
  'message-counts-of-merchant',
  countsOf(ofMerchant),
  NONE,
);
export const countAll = firstRowOr<MessageCounts>('message-counts', countsOf('true'), NONE);

/** A message with what the sandbox "sent"; null: nothing was kept. */
export interface KeptMessage extends StoredMessage {
  readonly kept: InboxContent | null;
}

export const findOwnMessage = firstRow<KeptMessage, [id: string, merchantId: string]>(
  'message-find-own',
  `SELECT ${MESSAGE_COLUMNS},
     (SELECT json_build_object('subject', i.subject, 'text', i.text, 'html', i.html,
        'headers', i.headers)
      FROM message_inbox i WHERE i.message_id = g.id) AS kept
   FROM messages g WHERE g.id = $1 AND g.merchant_id = $2`,
);

/** How a channel is doing. */
export interface ChannelHealth {
  readonly channel: Channel;
  /** Since when its breaker is open; null: it is closed. */
  readonly openedAt: Date | null;
  readonly reason: string | null;
  /** Messages that are due, up to 1,001. */
  readonly due: number;
  readonly oldestDueAt: Date | null;
  /** Messages that are tried again, among the next 1,001. */
  readonly retried: number;
  /** The outcome of an attempt of theirs, such as `SMTP_451`. */
  readonly failure: string | null;
}

/** An hour is the longest wait between attempts: who waits longer has its time by a rule. */
export const findChannels = allRows<ChannelHealth>(
  'message-channels',
  `SELECT c.channel, c.opened_at AS "openedAt", c.reason, d.due, d.oldest AS "oldestDueAt",
     r.retried, r.failure
   FROM message_channels c CROSS JOIN LATERAL (
     SELECT count(*)::int AS due, min(next_attempt_at) AS oldest FROM (
       SELECT next_attempt_at FROM messages
       WHERE channel = c.channel AND status = 'SCHEDULED' AND next_attempt_at <= service_now()
       ORDER BY next_attempt_at LIMIT ${MOST_COUNTED + 1}) due) d
   CROSS JOIN LATERAL (
     SELECT count(*)::int AS retried, max(log -> -1 ->> 'outcome') AS failure FROM (
       SELECT attempt_log AS log FROM messages WHERE channel = c.channel AND status = 'SCHEDULED'
         AND next_attempt_at <= service_now() + interval '1 hour'
       ORDER BY next_attempt_at LIMIT ${MOST_COUNTED + 1}) next WHERE log <> '[]') r
   ORDER BY c.channel`,
);
