import type { Clock } from '#lib/clock.ts';
import type { RefundRow as AnsweredRow } from '#refunds/lookup/find-store.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';
import { fromJson, type Journal, Table } from './journal.ts';
import type { Handlers } from './memory-database.ts';
import type { PaymentRequestRow, PaymentRequests } from './payment-request-rows.ts';

/** The row as the finding statements answer it, with the columns that they leave out. */
export interface RefundRow extends AnsweredRow {
  readonly bodyHash: Buffer | null;
  readonly nextPollAt: Date | null;
  readonly polls: number;
}

interface Asked {
  readonly id: string;
  readonly payment_request_id: string;
  readonly merchant_id: string;
  readonly merchant_refund_id: string | null;
  readonly body_hash: string | null;
  readonly amount_cents: number;
  readonly status: RefundStatus;
  readonly reason: AnsweredRow['reason'];
  readonly message: string | null;
  readonly webhook_url: string | null;
  readonly is_of_payment: boolean;
  readonly movement_reference: string | null;
  readonly operator_case_id: string | null;
  readonly network_reference: string | null;
  readonly completed_at: string | null;
  readonly counted_on: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly first_poll_seconds: number | null;
}

interface Event {
  readonly refund_id: string;
  readonly position: number;
  readonly status: RefundStatus;
  readonly occurred_at: string;
}

interface Move {
  readonly id: string;
  readonly status: RefundStatus;
  readonly reason_code: AnsweredRow['statusReasonCode'];
  readonly network_reference: string | null;
  readonly completed_at: string | null;
  readonly version: number;
}

interface SumChange {
  readonly id: string;
  readonly refunding: number;
  readonly refunded: number;
  readonly events: number;
}

export interface DayRow {
  readonly merchant_id: string;
  readonly day: string;
  readonly cents: number;
}

export class Refunds {
  readonly rows: Table<RefundRow>;
  readonly days: Table<DayRow>;
  /** The limit of each merchant's day in cents. */
  readonly limitCents: number;
  readonly #requests: PaymentRequests;
  readonly #clock: Clock;

  constructor(journal: Journal, requests: PaymentRequests, clock: Clock, limitCents: number) {
    this.rows = new Table(journal);
    this.days = new Table(journal);
    this.limitCents = limitCents;
    this.#requests = requests;
    this.#clock = clock;
  }

  of(paymentRequestId: string): RefundRow[] {
    return this.rows.where((row) => row.paymentRequestId === paymentRequestId);
  }

  /** The models of refunds/lookup, refunds/status and refunds/create/limit-store.ts. */
  handlers(): Handlers {
    return {
      'refund-find': ([id]) => this.rows.some([String(id)]),
      'refund-find-many': ([ids]) => this.rows.some(fromJson(ids)),
      'refund-find-of-payments': ([ids]) => fromJson<string[]>(ids).flatMap((id) => this.of(id)),
      'refund-find-by-merchant-refund-id': ([keys]) =>
        fromJson<Pick<Asked, 'merchant_id' | 'merchant_refund_id'>[]>(keys).flatMap((key) =>
          this.rows.where(
            ({ merchantId, merchantRefundId }) =>
              merchantId === key.merchant_id && merchantRefundId === key.merchant_refund_id,
          ),
        ),
      'refund-find-payments-of': ([ids]) => {
        const found = this.rows.some(fromJson(ids)).map((row) => row.paymentRequestId);
        return [...new Set(found)].map((id) => ({ id }));
      },
      'refund-lock-merchants': () => [],
      'refund-lock-payments': ([ids]) => this.#payments(fromJson(ids)),
      'refund-lock-payments-of-merchants': ([ids, merchants]) =>
        this.#payments(fromJson(ids)).filter(({ merchantId }) =>
          fromJson<string[]>(merchants).includes(merchantId),
        ),
      'refund-find-limits': ([ids, now]) =>
        fromJson<string[]>(ids).map((id) => this.#limitOf(id, now as Date)),
      'refund-insert': ([rows, events]) => this.#insert(fromJson(rows), fromJson(events)),
      'refund-save-moves': ([moves, events, sums, days]) =>
        this.#save(fromJson(moves), fromJson(events), fromJson(sums), fromJson(days)),
      'refund-claim': ([most, seconds]) => this.#claim(Number(most), Number(seconds)),
      'refund-plan-next-poll': ([id, status, seconds, isNew]) => {
        const row = this.rows.get(String(id));
        if (row?.status !== status) return [];
        const polls = isNew ? 0 : (row?.polls ?? 0);
        this.rows.patch(String(id), { nextPollAt: this.#in(seconds), polls });
        return [];
      },
      'cases-has-live-refund': ([id]) => [
        { found: this.#some((row) => row.operatorCaseId === id && row.status !== 'FAILED') },
      ],
    };
  }

  /** The cents of a movement that refunds give back. */
  givenBackOf(reference: string): number {
    return this.rows
      .where(
        ({ movementReference, status }) => movementReference === reference && status !== 'FAILED',
      )
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
  }

  #some(isWanted: (row: RefundRow) => boolean): boolean {
    return this.rows.where(isWanted).length > 0;
  }

  #in(seconds: unknown): Date | null {
    if (seconds === null || seconds === undefined) return null;
    return new Date(this.#clock.now().getTime() + Number(seconds) * 1000);
  }

  #payments(ids: readonly string[]) {
    return this.#requests.rows.some(ids).map((row) => ({
      id: row.id,
      merchantId: row.merchant_id,
      isPaid: row.status === 'PAID',
      receivedCents: row.received_cents,
      returnedCents: row.returned_cents,
      refundedCents: row.refunded_cents,
      refundingCents: row.refunding_cents,
      webhookSequence: row.webhook_sequence,
      sendsReceipts: row.message_plan?.receipt ?? false,
    }));
  }

  #limitOf(id: string, now: Date) {
    const day = now.toISOString().slice(0, 10);
    const countedCents = this.days.get(`${id} ${day}`)?.cents ?? 0;
    return { id, limitCents: this.limitCents, day, countedCents };
  }

  #insert(asked: readonly Asked[], events: readonly Event[]): [] {
    for (const row of asked) {
      this.#reserve(row);
      if (row.counted_on !== null) this.#count(row.merchant_id, row.counted_on, row.amount_cents);
      this.rows.put(row.id, this.#rowOf(row, events));
    }
    for (const { payment_request_id: id, ...row } of asked) {
      if (row.status !== 'COMPLETED') continue;
      this.#addSums({
        id,
        refunding: 0,
        refunded: row.is_of_payment ? row.amount_cents : 0,
        events: 1,
      });
    }
    return [];
  }

  #rowOf(row: Asked, events: readonly Event[]): RefundRow {
    return {
      id: row.id,
      paymentRequestId: row.payment_request_id,
      merchantId: row.merchant_id,
      merchantRefundId: row.merchant_refund_id,
      amountCents: row.amount_cents,
      status: row.status,
      statusReasonCode: null,
      reason: row.reason,
      message: row.message,
      webhookUrl: row.webhook_url,
      isOfPayment: row.is_of_payment,
      movementReference: row.movement_reference,
      operatorCaseId: row.operator_case_id,
      networkReference: row.network_reference,
      completedAt: row.completed_at === null ? null : new Date(row.completed_at),
      countedOn: row.counted_on,
      traceparent: null,
      version: row.version,
      createdAt: new Date(row.created_at),
      events: eventsOf(row.id, events),
      bodyHash: row.body_hash === null ? null : Buffer.from(row.body_hash, 'hex'),
      nextPollAt: this.#in(row.first_poll_seconds),
      polls: 0,
    };
  }

  /** The trigger refunds_within_available. */
  #reserve(row: Asked): void {
    if (!row.is_of_payment || row.status === 'COMPLETED' || row.status === 'FAILED') return;
    const payment = this.#requests.rows.get(row.payment_request_id);
    if (!payment) throw new Error('no payment request of the refund');
    const given = payment.refunded_cents + payment.refunding_cents;
    if (row.amount_cents > payment.received_cents - payment.returned_cents - given) {
      throw new Error('refunds_within_available');
    }
    this.#addSums({ id: payment.id, refunding: row.amount_cents, refunded: 0, events: 0 });
  }

  #save(
    moves: readonly Move[],
    events: readonly Event[],
    sums: readonly SumChange[],
    days: readonly DayRow[],
  ): [] {
    for (const move of moves) {
      const before = this.rows.get(move.id);
      const isOpen = move.status === 'CREATED' || move.status === 'PROCESSING';
      this.rows.patch(move.id, {
        status: move.status,
        statusReasonCode: move.reason_code,
        networkReference: move.network_reference,
        completedAt: move.completed_at === null ? null : new Date(move.completed_at),
        version: move.version,
        events: [...(before?.events ?? []), ...eventsOf(move.id, events)],
        nextPollAt: isOpen ? (before?.nextPollAt ?? null) : null,
      });
    }
    for (const { merchant_id, day, cents } of days) this.#count(merchant_id, day, -cents);
    for (const sum of sums) this.#addSums(sum);
    return [];
  }

  #count(merchantId: string, day: string, cents: number): void {
    const key = `${merchantId} ${day}`;
    const before = this.days.get(key)?.cents ?? 0;
    this.days.put(key, { merchant_id: merchantId, day, cents: Math.max(0, before + cents) });
  }

  #addSums({ id, refunding, refunded, events }: SumChange): void {
    const row = this.#requests.rows.get(id) as PaymentRequestRow;
    this.#requests.rows.patch(id, {
      refunding_cents: row.refunding_cents + refunding,
      refunded_cents: row.refunded_cents + refunded,
      webhook_sequence: row.webhook_sequence + events,
      version: row.version + (refunding !== 0 || refunded !== 0 ? 1 : 0),
    });
  }

  #claim(most: number, seconds: number): object[] {
    const now = this.#clock.now();
    const due = this.rows.where(({ nextPollAt }) => nextPollAt !== null && nextPollAt <= now);
    return due.slice(0, most).map((row) => {
      const changes = { nextPollAt: this.#in(seconds), polls: row.polls + 1 };
      const isSuspended = this.#requests.suspended.has(row.merchantId);
      return { ...this.rows.patch(row.id, changes), isHeld: isSuspended };
    });
  }
}

function eventsOf(id: string, events: readonly Event[]): [RefundStatus, number][] {
  return events
    .filter(({ refund_id }) => refund_id === id)
    .map(({ status, occurred_at }) => [status, Date.parse(occurred_at)]);
}
