import type { Status } from '#payment-requests/model/statuses.ts';
import type { EventRow } from '../memory/event-rows.ts';
import type { PaymentRequestRow } from '../memory/payment-request-rows.ts';
import { must, mustEqual } from '../run/broken-invariant.ts';
import type { PaymentWorld } from './payment-world.ts';

/** The table of contract §5, written a second time: a change of the code's table shows here. */
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  CREATED: ['PROCESSING', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED'],
  PROCESSING: ['PAID', 'FAILED'],
  PAID: [],
  FAILED: ['PAID'],
  EXPIRED: ['PAID'],
  CANCELLED: ['PAID'],
};

const ENDED_UNPAID: readonly Status[] = ['FAILED', 'EXPIRED', 'CANCELLED'];

/** Statuses, versions and webhook events of every payment request (contract §5, delivery §1). */
export function checkRequests(world: PaymentWorld): void {
  for (const row of world.requests.rows.all()) {
    const name = () => world.nameOf(row.id);
    checkHistory(row, name);
    checkEvents(row, world.events.of(row.id), name);
    checkPayment(world, row, name);
  }
}

function checkHistory(row: PaymentRequestRow, name: () => string): void {
  const { status, created_at: createdAt, expires_at: expiresAt } = row;
  // The row is its CREATED event.
  const events = [['CREATED', createdAt.getTime()] as const, ...row.events];
  mustEqual(events.at(-1)?.[0], status, () => `${name()}: the last event`);
  for (const [index, [to, at]] of events.entries()) {
    const [from, before] = events[index - 1] ?? [null, at];
    must(from === null || NEXT[from].includes(to), () => `${name()}: ${from} -> ${to}`);
    must(at >= before, () => `${name()}: the event ${to} is before the event ${from}`);
    if (to === 'EXPIRED') {
      const due = Math.max(expiresAt.getTime(), before);
      mustEqual(at, due, () => `${name()}: the instant of its expiry`);
    }
  }
  const isPaidLate = ENDED_UNPAID.includes(events.at(-2)?.[0] ?? 'CREATED') && status === 'PAID';
  mustEqual(row.paid_late, isPaidLate, () => `${name()}: paidLate`);
  const hasReason = ENDED_UNPAID.includes(status);
  mustEqual(row.status_reason_code !== null, hasReason, () => `${name()}: has a reason`);
  if (status === 'EXPIRED') {
    mustEqual(row.status_reason_code, 'LINK_EXPIRED', () => `${name()}: its reason`);
  }
  if (status === 'CANCELLED') {
    mustEqual(row.status_reason_code, 'CANCELLED_BY_MERCHANT', () => `${name()}: its reason`);
  }
}

/** A status change that owes a webhook has its event; the numbers have no gap. */
function checkEvents(
  row: PaymentRequestRow,
  events: readonly EventRow[],
  name: () => string,
): void {
  const numbers = events.map(({ sequence }) => sequence);
  const expected = numbers.map((_, index) => index + 1);
  mustEqual(numbers.join(), expected.join(), () => `${name()}: the numbers of its events`);
  mustEqual(row.webhook_sequence, events.length, () => `${name()}: its webhook sequence`);
  const count = (type: string) => events.filter(({ event_type }) => event_type === type).length;
  const reached = (wanted: readonly Status[]) =>
    row.events.filter(([status]) => wanted.includes(status)).length;
  mustEqual(count('PAYMENT-COMPLETED'), reached(['PAID']), () => `${name()}: events of PAID`);
  must(count('PAYMENT-COMPLETED') <= 1, () => `${name()}: PAID twice`);
  mustEqual(count('PAYMENT-FAILED'), reached(ENDED_UNPAID), () => `${name()}: events of its end`);
}

interface RefundSummary {
  readonly amountReceived: number;
  readonly amountReturned: number;
  readonly amountAvailable: number;
}

const summaries = new WeakMap<EventRow, RefundSummary>();

/** The sums at the moment of PAID, as the event's body tells them. */
function summaryOf(paid: EventRow | undefined): RefundSummary {
  if (!paid) return { amountReceived: 0, amountReturned: 0, amountAvailable: 0 };
  const known = summaries.get(paid) ?? JSON.parse(paid.body).resource.refundSummary;
  summaries.set(paid, known);
  return known;
}

/** PAID holds a payment, and only exact or accepted money makes PAID (contract §5). */
function checkPayment(world: PaymentWorld, row: PaymentRequestRow, name: () => string): void {
  const isPaid = row.status === 'PAID';
  mustEqual(row.payment_completed_at !== null, isPaid, () => `${name()}: has a payment`);
  mustEqual(row.payment_network_reference !== null, isPaid, () => `${name()}: names its payment`);
  if (!isPaid || world.accepted.has(row.id)) return;
  const [paid] = world.events.of(row.id).filter((each) => each.event_type === 'PAYMENT-COMPLETED');
  const { amountReceived, amountReturned, amountAvailable } = summaryOf(paid);
  const isUnexplained = hasUnexplainedReturn(world, row);
  const refunds = world.refunds.of(row.id);
  // A refund that the returned money does not cover any more fails in the same transaction.
  const isFailing = refunds.some(({ statusReasonCode: code }) => code === 'PAYMENT_RETURNED');
  if (amountReturned > 0 && (isUnexplained || isFailing)) return;
  const held = refunds.length === 0 ? amountReceived - amountReturned : amountAvailable;
  const cents = Math.round(held * 100);
  mustEqual(cents, row.amount_cents, () => `${name()}: the money that made it PAID`);
}

/** Money that went back before it had come is a case, and is taken from no later money. */
function hasUnexplainedReturn({ ledger, cases }: PaymentWorld, row: PaymentRequestRow): boolean {
  const own = ledger.rows.where((entry) => entry.payment_request_id === row.id);
  const paidAt = own.findIndex(
    (entry) => entry.network_reference === row.payment_network_reference,
  );
  const names = own
    .filter(({ type }, index) => type === 'RETURN' && index < paidAt)
    .map((entry) => entry.network_reference);
  return cases.rows
    .where(({ kind }) => kind === 'MONEY_RETURNED')
    .some(({ details }) => names.includes(String(details.networkReference)));
}
