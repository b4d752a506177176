import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { NewOrder, Order, OrderPayment } from './order.ts';
import { orderOf, paymentOf } from './order-rows.ts';
import { createRefundStore, REFUND_SCHEMA } from './refunds/refund-store.ts';

/**
 * The shop's database: a file of the SQLite that is part of Node.js. The shop acknowledges a
 * webhook only after its effect is on the disk, and recognises a repeat after a restart.
 * Transactions and a primary key do both.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    placed_at TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT,
    mobile_number TEXT,
    language TEXT NOT NULL,
    tender TEXT NOT NULL,
    lines TEXT NOT NULL,
    total_cents INTEGER NOT NULL,
    -- The token of the checkout page: a page that is sent twice places one order.
    checkout_token TEXT NOT NULL UNIQUE,
    released_at TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS payments (
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders,
    attempt INTEGER NOT NULL,
    payment_link TEXT NOT NULL,
    status TEXT NOT NULL,
    reason_code TEXT,
    expiry_date_time TEXT NOT NULL,
    institution TEXT,
    network_reference TEXT,
    event_count INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS payments_of_order ON payments (order_id, attempt);
  CREATE TABLE IF NOT EXISTS notifications (
    -- The event's id: a repeat conflicts with the first row.
    id TEXT PRIMARY KEY,
    order_id TEXT REFERENCES orders,
    event_type TEXT NOT NULL,
    status TEXT NOT NULL,
    outcome TEXT NOT NULL,
    first_received_at TEXT NOT NULL,
    times_received INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  CREATE INDEX IF NOT EXISTS notifications_of_order ON notifications (order_id);
`;

const SCHEMA_VERSION = 2;

const FIRST_NUMBER = 1042;

/** The staff's list has the orders of the last days; older ones have their own pages. */
const MOST_LISTED = 50;

/** The outcome of a webhook. */
export type NotificationOutcome =
  | 'RELEASED'
  | 'NOTED'
  | 'PAID_AGAIN'
  | 'AMOUNT_DIFFERS'
  | 'RETURNED'
  | 'REFUND_NOTED'
  | 'UNKNOWN';

export interface Notification {
  readonly id: string;
  readonly orderId: string | null;
  readonly eventType: string;
  readonly status: string;
  readonly outcome: NotificationOutcome;
  readonly firstReceivedAt: string;
  readonly timesReceived: number;
}

export type OrderStore = ReturnType<typeof openOrderStore>;

/** @param path of the database's file; `:memory:` for a store that ends with the process */
export function openOrderStore(path: string) {
  const db = new DatabaseSync(path);
  // FULL: a commit survives a power failure, not only a crash of the process.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  updateSchema(db);
  db.function('shop_lower', { deterministic: true }, (text) => lowered(String(text ?? '')));
  const statements = prepare(db);

  return {
    refunds: createRefundStore(db),

    /** Commits all writes of `work`, or none of them. */
    transaction: <Result>(work: () => Result): Result => inTransaction(db, work),

    /** Places an order; a checkout page that is sent again gives its first order. */
    placeOrder(order: NewOrder, checkoutToken: string, placedAt: Date): Order {
      statements.insertOrder.run({
        ...order,
        id: randomBytes(16).toString('hex'),
        firstNumber: FIRST_NUMBER,
        placedAt: placedAt.toISOString(),
        lines: JSON.stringify(order.lines),
        checkoutToken,
      });
      return this.findOrderByToken(checkoutToken) as Order;
    },

    findOrder(id: string): Order | undefined {
      const row = statements.findOrder.get({ id });
      return row && { ...orderOf(row), payment: paymentOf(statements.latestPayment.get({ id })) };
    },

    /** Finds the order of a checkout page; only the browser that placed it knows the token. */
    findOrderByToken(checkoutToken: string): Order | undefined {
      const row = statements.findByToken.get({ checkoutToken });
      return row && this.findOrder(String(row.id));
    },

    /**
     * Lists the latest orders, newest first.
     * @param search a part of the customer's name or address, or a whole order number; '' for all
     */
    listOrders(search = ''): Order[] {
      const rows = statements.listOrders.all({ most: MOST_LISTED, text: lowered(search) });
      return rows.flatMap(({ id }) => this.findOrder(String(id)) ?? []);
    },

    ...paymentCalls(statements),

    /** @returns false when the order was released before, or its money was taken back */
    releaseOrder(id: string, releasedAt: Date): boolean {
      const changed = statements.release.run({ id, releasedAt: releasedAt.toISOString() });
      return changed.changes === 1;
    },

    /** Keeps the order from being shipped: its money was taken back. */
    markReturned(id: string, returnedAt: Date): void {
      statements.markReturned.run({ id, returnedAt: returnedAt.toISOString() });
    },

    ...notificationCalls(statements),

    close(): void {
      db.close();
    },
  };
}

/** SQLite's own lower() knows the letters from A to Z alone. */
function lowered(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function paymentCalls(statements: ReturnType<typeof prepare>) {
  return {
    /** Finds a payment of any order, also one that is not its order's latest. */
    findPayment(id: string): OrderPayment | null {
      return paymentOf(statements.findPayment.get({ id }));
    },

    /** Lists the payments of an order whose money arrived: more than one when it was paid twice. */
    listPaid(orderId: string): OrderPayment[] {
      return statements.listPaid.all({ orderId }).flatMap((row) => paymentOf(row) ?? []);
    },

    /** Stores the payment; an older reading does not replace a newer one. */
    savePayment(payment: OrderPayment): void {
      statements.savePayment.run({ ...payment });
    },
  };
}

function notificationCalls(statements: ReturnType<typeof prepare>) {
  return {
    /** @returns false for a repeat, whose count grows */
    noteNotification(notification: Omit<Notification, 'timesReceived'>): boolean {
      const row = statements.noteNotification.get({ ...notification });
      return row?.timesReceived === 1;
    },

    hasNotification(id: string): boolean {
      return statements.findNotification.get({ id }) !== undefined;
    },

    /** Lists the webhooks about an order, oldest first. */
    listNotifications(orderId: string): Notification[] {
      return statements.listNotifications.all({ orderId }) as unknown as Notification[];
    },
  };
}

/** Brings a file of an earlier version of the shop up to date. */
function updateSchema(db: DatabaseSync): void {
  inTransaction(db, () => {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() ?? {};
    if (Number(version) >= SCHEMA_VERSION) return;
    const columns = db
      .prepare('PRAGMA table_info(payments)')
      .all()
      .map(({ name }) => name);
    if (columns.includes('status_message')) {
      // The first version kept the reason's sentence, which is for the merchant.
      db.exec(`ALTER TABLE payments RENAME COLUMN status_message TO reason_code;
               UPDATE payments SET reason_code = NULL`);
    }
    db.exec(SCHEMA + REFUND_SCHEMA);
    db.exec('ALTER TABLE orders ADD COLUMN returned_at TEXT');
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function prepare(db: DatabaseSync) {
  return {
    insertOrder: db.prepare(`
      INSERT INTO orders (id, number, placed_at, name, email, mobile_number, language, tender,
                          lines, total_cents, checkout_token)
      VALUES (:id, (SELECT coalesce(max(number) + 1, :firstNumber) FROM orders), :placedAt, :name,
              :email, :mobileNumber, :language, :tender, :lines, :totalCents, :checkoutToken)
      ON CONFLICT (checkout_token) DO NOTHING`),
    findByToken: db.prepare('SELECT id FROM orders WHERE checkout_token = :checkoutToken'),
    // Each payment request of an order asks for its total.
    findOrder: db.prepare(`
      SELECT o.*,
             (SELECT count(*) FROM payments p WHERE p.order_id = o.id AND p.status = 'PAID')
               * o.total_cents AS paid_cents,
             (SELECT coalesce(sum(r.amount_cents), 0) FROM refunds r
              WHERE r.order_id = o.id AND r.status = 'COMPLETED') AS refunded_cents
      FROM orders o WHERE o.id = :id`),
    listOrders: db.prepare(`
      SELECT id FROM orders
      WHERE :text = '' OR cast(number AS TEXT) = :text
         OR instr(shop_lower(name), :text) > 0 OR instr(shop_lower(email), :text) > 0
         OR instr(mobile_number, :text) > 0
      ORDER BY number DESC LIMIT :most`),
    findPayment: db.prepare('SELECT * FROM payments WHERE id = :id'),
    listPaid: db.prepare(`
      SELECT * FROM payments WHERE order_id = :orderId AND status = 'PAID' ORDER BY attempt`),
    latestPayment: db.prepare(`
      SELECT * FROM payments WHERE order_id = :id ORDER BY attempt DESC LIMIT 1`),
    savePayment: db.prepare(`
      INSERT INTO payments (id, order_id, attempt, payment_link, status, reason_code,
                            expiry_date_time, institution, network_reference, event_count)
      VALUES (:id, :orderId, :attempt, :paymentLink, :status, :reasonCode, :expiryDateTime,
              :institution, :networkReference, :eventCount)
      ON CONFLICT (id) DO UPDATE SET
        status = excluded.status, reason_code = excluded.reason_code,
        expiry_date_time = excluded.expiry_date_time, institution = excluded.institution,
        network_reference = excluded.network_reference, event_count = excluded.event_count
      WHERE excluded.event_count >= event_count`),
    release: db.prepare(`
      UPDATE orders SET released_at = :releasedAt
      WHERE id = :id AND released_at IS NULL AND returned_at IS NULL`),
    markReturned: db.prepare(`
      UPDATE orders SET returned_at = :returnedAt WHERE id = :id AND returned_at IS NULL`),
    noteNotification: db.prepare(`
      INSERT INTO notifications (id, order_id, event_type, status, outcome, first_received_at)
      VALUES (:id, :orderId, :eventType, :status, :outcome, :firstReceivedAt)
      ON CONFLICT (id) DO UPDATE SET times_received = times_received + 1
      RETURNING times_received AS timesReceived`),
    findNotification: db.prepare('SELECT id FROM notifications WHERE id = :id'),
    listNotifications: db.prepare(`
      SELECT id, order_id AS orderId, event_type AS eventType, status, outcome,
             first_received_at AS firstReceivedAt, times_received AS timesReceived
      FROM notifications WHERE order_id = :orderId ORDER BY first_received_at, id`),
  };
}
