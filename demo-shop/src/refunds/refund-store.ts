import type { DatabaseSync } from 'node:sqlite';
import { amountToCents, type Refund } from '@payment-requests/sdk';
import type { AskedRefund, OrderRefund } from './refund.ts';

export const REFUND_SCHEMA = `
  CREATE TABLE IF NOT EXISTS refunds (
    -- The merchantRefundId, stored before the call: a form that is sent twice conflicts with it.
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders,
    payment_id TEXT NOT NULL REFERENCES payments,
    amount_cents INTEGER NOT NULL,
    expected_cents INTEGER,
    reason TEXT NOT NULL,
    message TEXT,
    status TEXT NOT NULL,
    reason_code TEXT,
    asked_at TEXT NOT NULL,
    event_count INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS refunds_of_order ON refunds (order_id, asked_at);
`;

const COLUMNS = `id, order_id AS orderId, payment_id AS paymentId, amount_cents AS amountCents,
  expected_cents AS expectedCents, reason, message, status, reason_code AS reasonCode,
  asked_at AS askedAt`;

/** The refunds of the shop's database. */
export function createRefundStore(db: DatabaseSync) {
  // The statements are prepared at their first use, when the table is there.
  const insert = () =>
    db.prepare(`
      INSERT INTO refunds (id, order_id, payment_id, amount_cents, expected_cents, reason, message,
                           status, asked_at)
      VALUES (:id, :orderId, :paymentId, :amountCents, :expectedCents, :reason, :message, 'ASKED',
              :askedAt)
      ON CONFLICT (id) DO NOTHING`);

  return {
    /** Stores a refund before its call; a form that is sent again gives the first one. */
    ask(refund: AskedRefund, askedAt: Date): OrderRefund {
      insert().run({ ...refund, askedAt: askedAt.toISOString() });
      return this.find(refund.id) as OrderRefund;
    },

    find(id: string): OrderRefund | undefined {
      const row = db.prepare(`SELECT ${COLUMNS} FROM refunds WHERE id = :id`).get({ id });
      return row as OrderRefund | undefined;
    },

    /** Stores that the service refused the call: no money moves. */
    refuse(id: string, reasonCode: string): void {
      db.prepare(`
        UPDATE refunds SET status = 'REFUSED', reason_code = :reasonCode
        WHERE id = :id AND status = 'ASKED'`).run({ id, reasonCode });
    },

    /** Stores an answer's or a webhook's refund; an older reading does not replace a newer one. */
    save(refund: Refund, orderId: string): void {
      db.prepare(`
        INSERT INTO refunds (id, order_id, payment_id, amount_cents, reason, message, status,
                             reason_code, asked_at, event_count)
        VALUES (:id, :orderId, :paymentId, :amountCents, :reason, :message, :status, :reasonCode,
                :askedAt, :eventCount)
        ON CONFLICT (id) DO UPDATE SET status = excluded.status, reason_code = excluded.reason_code,
          event_count = excluded.event_count
        WHERE excluded.event_count >= event_count`).run({
        id: refund.merchantRefundId ?? refund.id,
        orderId,
        paymentId: refund.paymentRequestId,
        amountCents: amountToCents(refund.amount),
        reason: refund.reason,
        message: refund.message ?? null,
        status: refund.status,
        reasonCode: refund.statusReason?.code ?? null,
        askedAt: refund.createdDateTime,
        eventCount: refund.events.length,
      });
    },

    /** Lists the refunds of an order, newest first. */
    list(orderId: string): OrderRefund[] {
      return db
        .prepare(
          `SELECT ${COLUMNS} FROM refunds WHERE order_id = :orderId ORDER BY asked_at DESC, id`,
        )
        .all({ orderId }) as unknown as OrderRefund[];
    },
  };
}
