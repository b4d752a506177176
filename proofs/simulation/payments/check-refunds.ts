import type { RefundStatus } from '#refunds/model/statuses.ts';
import type { RefundRow } from '../memory/refund-rows.ts';
import { must, mustEqual } from '../run/broken-invariant.ts';
import type { PaymentWorld } from './payment-world.ts';

/** The table of contract §11, written a second time. */
const NEXT: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  CREATED: ['PROCESSING', 'COMPLETED', 'FAILED'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  COMPLETED: ['FAILED'],
  FAILED: [],
};

export function checkRefunds(world: PaymentWorld): void {
  const ids = new Set<string>();
  const days = new Map<string, number>();
  for (const row of world.refunds.rows.all()) {
    checkHistory(row);
    checkEntries(world, row);
    checkEvents(world, row);
    const { merchantRefundId: own, countedOn } = row;
    must(own === null || !ids.has(own), () => `two refunds under ${own}`);
    if (own !== null) ids.add(own);
    if (countedOn === null || row.status === 'FAILED') continue;
    days.set(countedOn, (days.get(countedOn) ?? 0) + row.amountCents);
  }
  for (const { day, cents } of world.refunds.days.all()) {
    mustEqual(cents, days.get(day) ?? 0, () => `the refunds counted on ${day}`);
    must(cents <= world.refunds.limitCents, () => `the limit of ${day}`);
  }
}

function checkHistory({ id, status, statusReasonCode, events, completedAt }: RefundRow): void {
  mustEqual(events.at(-1)?.[0], status, () => `refund ${id}: the last event`);
  for (const [index, [to, at]] of events.entries()) {
    const [from, before] = events[index - 1] ?? [null, at];
    must(
      from === null ? to === 'CREATED' : NEXT[from].includes(to),
      () => `refund ${id}: ${from} -> ${to}`,
    );
    must(at >= before, () => `refund ${id}: the event ${to} is before the event ${from}`);
    if (from === 'COMPLETED') {
      mustEqual(statusReasonCode, 'REFUND_RETURNED', () => `refund ${id}: its reason`);
    }
  }
  mustEqual(statusReasonCode !== null, status === 'FAILED', () => `refund ${id}: has a reason`);
  if (status === 'COMPLETED') must(completedAt !== null, () => `refund ${id}: has no payment`);
}

/** A movement out for each executed refund, and one back for each that came back. */
function checkEntries({ ledger }: PaymentWorld, row: RefundRow): void {
  const own = ledger.rows.where(({ refund_id }) => refund_id === row.id);
  const sumOf = (type: string) =>
    own.filter((each) => each.type === type).reduce((cents, each) => cents + each.amount_cents, 0);
  const isBack = row.statusReasonCode === 'REFUND_RETURNED';
  const isOut = row.status === 'COMPLETED' || isBack;
  const name = () => `refund ${row.id}, ${row.status}: its entries`;
  mustEqual(sumOf('REFUND'), isOut ? -row.amountCents : 0, name);
  mustEqual(sumOf('REFUND_RETURN'), isBack ? row.amountCents : 0, name);
}

function checkEvents({ events }: PaymentWorld, row: RefundRow): void {
  const own = events.of(row.paymentRequestId).filter(({ body }) => body.includes(row.id));
  const count = (type: string) => own.filter(({ event_type }) => event_type === type).length;
  const reached = (wanted: RefundStatus) =>
    row.events.filter(([status]) => status === wanted).length;
  const name = (type: string) => () => `refund ${row.id}: events ${type}`;
  mustEqual(count('REFUND-COMPLETED'), reached('COMPLETED'), name('REFUND-COMPLETED'));
  mustEqual(count('REFUND-FAILED'), reached('FAILED'), name('REFUND-FAILED'));
}

/** At the end the service knows what the network did with each refund. */
export function checkRefundsAreOver({ refunds, truth, cases, ledger }: PaymentWorld): void {
  for (const { id, status, statusReasonCode } of refunds.rows.all()) {
    must(status !== 'CREATED' && status !== 'PROCESSING', () => `refund ${id} is not over`);
    const known = truth.refunds.get(id);
    const state = known?.state.state;
    must((known?.executed ?? 0) <= 1, () => `the network has executed refund ${id} twice`);
    if (state === 'COMPLETED') {
      const isExplained = cases.rows.where(
        ({ kind, details }) => kind === 'REFUNDED_OUTSIDE' && details.refundId === id,
      );
      must(
        status === 'COMPLETED' || isExplained.length > 0,
        () => `refund ${id} was executed, and is ${status} ${statusReasonCode} without a case`,
      );
    }
    if (status === 'COMPLETED' || statusReasonCode === 'REFUND_RETURNED') {
      const fees = ledger.rows.where(({ type, refund_id }) => type === 'FEE' && refund_id === id);
      const booked = fees.reduce((cents, { amount_cents }) => cents + amount_cents, 0);
      mustEqual(booked, 0 - (known?.feeCents ?? 0), () => `the charges of refund ${id}`);
    }
    if (status === 'COMPLETED') must(state === 'COMPLETED', () => `refund ${id} was not executed`);
    if (state === 'RETURNED') {
      must(
        statusReasonCode === 'REFUND_RETURNED' || status === 'FAILED',
        () => `the money of refund ${id} came back, and it is ${status}`,
      );
    }
  }
}
