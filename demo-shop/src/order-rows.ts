import { readLanguage } from './language.ts';
import type { Order, OrderPayment, Tender } from './order.ts';

/** A row of the orders' file, as SQLite reads it. */
type Row = Record<string, unknown>;

export function orderOf(row: Row): Omit<Order, 'payment'> {
  return {
    id: String(row.id),
    number: Number(row.number),
    placedAt: String(row.placed_at),
    name: String(row.name),
    email: textOf(row.email),
    mobileNumber: textOf(row.mobile_number),
    language: readLanguage(String(row.language)) ?? 'en',
    tender: row.tender as Tender,
    lines: JSON.parse(String(row.lines)),
    totalCents: Number(row.total_cents),
    releasedAt: textOf(row.released_at),
    returnedAt: textOf(row.returned_at),
    paidCents: Number(row.paid_cents),
    refundedCents: Number(row.refunded_cents),
  };
}

export function paymentOf(row: Row | undefined): OrderPayment | null {
  if (!row) return null;
  return {
    id: String(row.id),
    orderId: String(row.order_id),
    attempt: Number(row.attempt),
    paymentLink: String(row.payment_link),
    status: String(row.status),
    reasonCode: textOf(row.reason_code),
    expiryDateTime: String(row.expiry_date_time),
    institution: textOf(row.institution),
    networkReference: textOf(row.network_reference),
    eventCount: Number(row.event_count),
  };
}

function textOf(value: unknown): string | null {
  return value === null ? null : String(value);
}
