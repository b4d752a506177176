import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../../service/src/database/database.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { newId } from '../../service/src/lib/new-id.ts';
import {
  insertPaymentRequests,
  type NewRow,
} from '../../service/src/payment-requests/create/insert-store.ts';
import { newShortCode } from '../../service/src/payment-requests/model/short-code.ts';
import type { MoveDeps } from '../../service/src/payment-requests/status/change-status.ts';
import { expirePaymentRequests } from '../../service/src/payment-requests/status/expire-overdue.ts';
import { enqueueWebhookEvents } from '../../service/src/webhooks/events/outbox.ts';
import { openProbe, type Probe } from './probe.ts';
import { OWNERS } from './seed-rows.ts';
import { type Seeded, seededPaymentRequest } from './seeded-ids.ts';

/** A seeded database that calls are measured on. */
export interface Subject {
  readonly rows: number;
  readonly probe: Probe;
  readonly newest: Date;
  /** One of the newest `most`, or of all, drawn anew each time. */
  readonly draw: (most?: number) => Seeded;
}

/** What one call is measured by. */
export interface Call {
  readonly name: string;
  /** Not measured: what must be there. Its result is handed to `run`. */
  readonly prepare?: (subject: Subject) => Promise<unknown>;
  readonly run: (db: Database, prepared: never, subject: Subject) => Promise<unknown>;
}

/** Names what `prepare` gives once for both, so that `run` need not ask. */
export function call<Prepared>(
  name: string,
  prepare: (subject: Subject) => Promise<Prepared>,
  run: (db: Database, prepared: Prepared, subject: Subject) => Promise<unknown>,
): Call {
  return { name, prepare, run };
}

/** As many destinations, with as many deliveries each, have something held, whatever the size. */
const HELD_DESTINATIONS = 50;
const HELD_EACH = 4;

const LOAD_PREWARM = 'CREATE EXTENSION IF NOT EXISTS pg_prewarm';
// What every creation writes to is in the server's memory, the rest in the machine's; the bodies of
// webhooks are on the disk, but for those of the day.
const WARM = `
  SELECT sum(pg_prewarm(c.oid, CASE WHEN i.indrelid = 'payment_requests'::regclass
                                           THEN 'buffer' ELSE 'read' END)) AS pages
         FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
           AND c.relname <> 'webhook_events'`;

/** The expiries that were just written left deliveries as well, of two or three merchants. */
const COUNT_HELD = {
  name: 'growth-count-held',
  text: `SELECT count(DISTINCT destination) AS count FROM webhook_deliveries
         WHERE status = 'PENDING'`,
};
const HOLD = {
  name: 'growth-hold',
  text: `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at + interval '3 days'
         WHERE status = 'PENDING'`,
};

/** Opens a seeded database, and brings it to where a running service would have it. */
export async function openSubject(
  databaseUrl: string,
  rows: number,
  newest: Date,
): Promise<Subject> {
  const probe = await openProbe(databaseUrl);
  await warm(databaseUrl);
  await expireAll(probe.db);
  const [held] = await probe.db.query<{ count: number }>(COUNT_HELD);
  if ((held?.count ?? 0) < HELD_DESTINATIONS) await hold(probe.db);
  const draw = (most = rows) =>
    seededPaymentRequest(rows - Math.floor(Math.random() * Math.min(most, rows)), rows, newest);
  return { rows, probe, newest, draw };
}

/** A server that has been up for long, not one that was just started. */
async function warm(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(LOAD_PREWARM);
  await client.query(WARM);
  await client.end();
}

/** Writes the expiries that have passed: real time goes on after the seed. */
export async function expireAll(db: Database): Promise<void> {
  const { signal } = new AbortController();
  while (await expirePaymentRequests(moveDeps(db), signal));
}

async function hold(db: Database): Promise<void> {
  for (let other = 0; other < HELD_DESTINATIONS; other += 1) {
    for (let n = 0; n < HELD_EACH; n += 1) await enqueueOne(db, `mer_${other}`);
  }
  await db.query(HOLD);
}

/** What moves a payment request, without anybody who waits for it. */
export function moveDeps(db: Database): MoveDeps {
  return {
    db,
    clock: systemClock,
    addresses: {
      publicApiUrl: 'https://api.example.com/v1',
      paymentLinkBase: 'https://api.example.com/pay',
    },
    wakeSenders: () => {},
    onMoved: () => {},
  };
}

/** A webhook event as a move writes it, in the size that it has in life. */
export async function enqueueOne(db: Database, merchantId: string): Promise<void> {
  const paymentRequestId = newId();
  await enqueueWebhookEvents(db, [
    {
      merchantId,
      paymentRequestId,
      sequence: 1,
      eventType: 'PAYMENT-COMPLETED',
      message: 'The payer completed the transaction.',
      resource: JSON.stringify({ id: paymentRequestId, amount: 149.95, note: 'x'.repeat(900) }),
      webhookUrl: `https://hooks.${merchantId}.example/payments`,
      createdAt: new Date(),
    },
  ]);
}

/** A new payment request of the giant merchant with all that the list can filter by. */
export function newRow(expiresInMs = 86_400_000): NewRow {
  const id = newId();
  const h = createHash('md5').update(id).digest('hex');
  const t = Number.parseInt(h.slice(0, 7), 16);
  const createdAt = new Date();
  return {
    identity: {
      id,
      shortCode: newShortCode(),
      merchantId: OWNERS.giant,
      requestId: null,
      traceparent: null,
    },
    isTransactionIdUnique: false,
    asked: {
      merchantTransactionId: h,
      amountCents: 500 + (t % 60_000),
      type: 'ECOMM',
      deliveryMode: null,
      payer: {
        name: `Payer ${t}`,
        merchantAccountId: null,
        email: `Payer${t % 2_000_003}@example.com`,
        mobileNumber: `+1 (416) ${1_000_000 + (t % 3_000_017)}`,
        preferredLanguage: null,
      },
      dueDate: null,
      displayMessage: `Thank you for your order ${t}`,
      invoiceNumber: `INV-${t}`,
      businessUnit: 'web',
      emailTemplateId: null,
      webhook: null,
      metadata: { orderId: `${t}` },
      createdAt,
      expiresAt: new Date(createdAt.getTime() + expiresInMs),
    },
  };
}

/** Writes new payment requests. @returns their rows */
export async function create(db: Database, count: number, expiresInMs?: number): Promise<NewRow[]> {
  const rows = Array.from({ length: count }, () => newRow(expiresInMs));
  await insertPaymentRequests(db, rows);
  return rows;
}
