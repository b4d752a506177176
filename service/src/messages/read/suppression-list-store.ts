import type { Executor } from '#database/database.ts';
import type { PageQuery } from '#database/lists/list.ts';
import { allRows } from '#database/statements.ts';
import type { TimePlace } from '#lib/cursor.ts';
import type { Channel } from '#payment-requests/model/messages/delivery.ts';
import type { MessageReason } from '#payment-requests/model/messages/link-message.ts';

/** An address that a merchant's messages do not reach, without the address and its hash. */
export interface ListedSuppression {
  /** The message that the recipient refused, or that came back. */
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly reason: MessageReason;
  /** null: the payment request of the message is gone. */
  readonly paymentRequestId: string | null;
  readonly createdAt: Date;
}

export interface SuppressionFilters {
  readonly reason: string | null;
  readonly channel: string | null;
}

type Asked = PageQuery<SuppressionFilters, TimePlace, string | null>;

/** A place has milliseconds. */
const CREATED = `date_trunc('milliseconds', s.created_at)`;

const findPage = allRows<
  ListedSuppression,
  [
    ...[merchantId: string | null, reason: string | null, channel: string | null],
    ...[createdAt: Date | null, id: string | null, limit: number],
  ]
>(
  'message-suppression-page',
  `SELECT s.message_id::text AS "messageId", s.merchant_id AS "merchantId", s.channel, s.reason,
     g.payment_request_id::text AS "paymentRequestId", ${CREATED} AS "createdAt"
   FROM message_suppressions s LEFT JOIN messages g ON g.id = s.message_id
   WHERE ($1::text IS NULL OR s.merchant_id = $1) AND ($2::text IS NULL OR s.reason = $2)
     AND ($3::text IS NULL OR s.channel = $3)
     AND ($4::timestamptz IS NULL OR (${CREATED}, s.message_id) < ($4, $5::uuid))
   ORDER BY ${CREATED} DESC, s.message_id DESC LIMIT $6`,
);

/** A page of them, newest first; few enough that each page sorts those of its owner. */
export function findSuppressionPage(
  db: Executor,
  { merchantId, filters: { reason, channel }, after, limit }: Asked,
): Promise<ListedSuppression[]> {
  const place = [after?.createdAt ?? null, after?.id ?? null] as const;
  return findPage(db, merchantId, reason, channel, ...place, limit);
}
