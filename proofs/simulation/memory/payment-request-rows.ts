import type { Clock } from '#lib/clock.ts';
import type { MessagePlan } from '#payment-requests/model/messages/delivery.ts';
import { SELECTED_COLUMNS } from '#payment-requests/model/row.ts';
import { canExpire, type Status, type StatusReasonCode } from '#payment-requests/model/statuses.ts';
import { fromJson, type Journal, Table, unnest } from './journal.ts';
import type { Handlers } from './memory-database.ts';

/** The columns that a simulated run changes or checks; the others keep their first value. */
export interface PaymentRequestRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly short_code: string;
  readonly payer_name: string;
  readonly payer_email: string | null;
  readonly delivery_mode: string | null;
  readonly message_plan: MessagePlan | null;
  readonly amount_cents: number;
  readonly status: Status;
  readonly status_reason_code: StatusReasonCode | null;
  readonly status_reason_message: string | null;
  readonly paid_late: boolean;
  readonly payment_institution: string | null;
  readonly payment_network_reference: string | null;
  readonly payment_completed_at: Date | null;
  readonly received_cents: number;
  readonly returned_cents: number;
  readonly refunded_cents: number;
  readonly refunding_cents: number;
  readonly version: number;
  readonly webhook_sequence: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  /** The moves, as the statement aggregates them: status and epoch milliseconds. */
  readonly events: readonly (readonly [Status, number])[];
  /** A simulated column of `network_requests`: the network has taken the payment back. */
  readonly payment_over: boolean;
}

export interface NewRow {
  readonly id: string;
  readonly merchantId: string;
  readonly amountCents: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const EMPTY = Object.fromEntries(SELECTED_COLUMNS.map((column) => [column, null]));

/** The row that a creation writes. */
export function newPaymentRequestRow(asked: NewRow): PaymentRequestRow {
  return {
    ...EMPTY,
    id: asked.id,
    short_code: asked.id,
    merchant_id: asked.merchantId,
    merchant_name: 'Shop',
    payer_name: 'Ada',
    payer_email: null,
    delivery_mode: null,
    message_plan: null,
    amount_cents: asked.amountCents,
    status: 'CREATED',
    status_reason_code: null,
    status_reason_message: null,
    paid_late: false,
    payment_institution: null,
    payment_network_reference: null,
    payment_completed_at: null,
    received_cents: 0,
    returned_cents: 0,
    refunded_cents: 0,
    refunding_cents: 0,
    version: 1,
    webhook_sequence: 0,
    created_at: asked.createdAt,
    expires_at: asked.expiresAt,
    events: [],
    payment_over: false,
  };
}

interface Move {
  readonly id: string;
  readonly status: Status;
  readonly reason_code: StatusReasonCode | null;
  readonly reason_message: string | null;
  readonly paid_late: boolean;
  readonly institution: string | null;
  readonly network_reference: string | null;
  readonly completed_at: Date | null;
  readonly version: number;
  readonly webhook_sequence: number;
  readonly position: number;
  readonly cause: string | null;
  readonly occurred_at: Date;
  readonly request_id: string | null;
  readonly received_cents: number;
  readonly returned_cents: number;
}

const MOVE = [
  'id',
  'status',
  'reason_code',
  'reason_message',
  'paid_late',
  'institution',
  'network_reference',
  'completed_at',
  'version',
  'webhook_sequence',
  'position',
  'cause',
  'occurred_at',
  'request_id',
  'received_cents',
  'returned_cents',
] as const satisfies readonly (keyof Move)[];

export class PaymentRequests {
  readonly rows: Table<PaymentRequestRow>;
  readonly suspended = new Set<string>();
  readonly #clock: Clock;

  constructor(journal: Journal, clock: Clock) {
    this.rows = new Table(journal);
    this.#clock = clock;
  }

  /** The models of status/, lookup/ and network/request-store.ts. */
  handlers(): Handlers {
    const find = (ids: readonly string[]) => this.rows.some(ids);
    return {
      'payment-request-lock': ([id]) => find([String(id)]),
      'payment-request-lock-of-merchant': ([id, merchant]) =>
        find([String(id)]).filter(({ merchant_id }) => merchant_id === merchant),
      'payment-request-lock-free': ([ids]) => find(fromJson(ids)),
      'payment-request-lock-due-to-expire': ([now, most]) => this.#due(now as Date, Number(most)),
      'payment-request-find': ([id]) => find([String(id)]),
      'payment-request-find-many': ([ids]) => find(fromJson(ids)),
      'payment-request-save-moves': (values) => this.#save(unnest<Move>(values, MOVE)),
      'merchant-find-suspended': ([ids]) =>
        [...this.suspended].filter((id) => (ids as string[]).includes(id)).map((id) => ({ id })),
      'network-request-mark-payments-over': ([ids]) => this.#markOver(ids as string[]),
      'timeline-insert': () => [],
      'merchant-notice-insert': () => [],
      'audit-log-insert': () => [],
    };
  }

  #due(now: Date, most: number): PaymentRequestRow[] {
    return this.rows
      .where(({ status, expires_at }) => canExpire(status) && expires_at <= now)
      .sort((one, other) => one.expires_at.getTime() - other.expires_at.getTime())
      .slice(0, most);
  }

  #save(moves: readonly Move[]): [] {
    for (const move of moves) {
      const before = this.rows.get(move.id);
      if (!before) throw new Error(`no row ${move.id}`);
      const event = [move.status, move.occurred_at.getTime()] as const;
      // The primary key of the moves: payment request and position. CREATED is the row itself.
      if (move.cause !== null && move.position !== before.events.length + 2) {
        throw new Error(`event ${move.position} after ${before.events.length} moves`);
      }
      this.rows.patch(move.id, {
        status: move.status,
        status_reason_code: move.reason_code,
        status_reason_message: move.reason_message,
        paid_late: move.paid_late,
        payment_institution: move.institution,
        payment_network_reference: move.network_reference,
        payment_completed_at: move.completed_at,
        version: move.version,
        webhook_sequence: move.webhook_sequence,
        received_cents: move.received_cents,
        returned_cents: move.returned_cents,
        events: move.cause === null ? before.events : [...before.events, event],
      });
    }
    return [];
  }

  #markOver(ids: readonly string[]): [] {
    for (const id of ids) this.rows.patch(id, { payment_over: true });
    return [];
  }

  now(): Date {
    return this.#clock.now();
  }
}
