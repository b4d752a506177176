import type { EntryType } from '#ledger/model/entry.ts';
import { fromJson, type Journal, Table, unnest } from './journal.ts';
import type { Handlers } from './memory-database.ts';
import type { PaymentRequests } from './payment-request-rows.ts';

export interface LedgerRow {
  readonly id: string;
  readonly merchant_id: string | null;
  readonly type: EntryType;
  readonly amount_cents: number;
  readonly currency: string;
  readonly payment_request_id: string | null;
  readonly refund_id: string | null;
  readonly network_reference: string | null;
  readonly bank_reference: string | null;
  readonly booking_date: string | null;
  readonly created_at: Date;
}

const COLUMNS = [
  'id',
  'merchant_id',
  'type',
  'amount_cents',
  'currency',
  'payment_request_id',
  'refund_id',
  'network_reference',
  'bank_reference',
  'booking_date',
  'created_at',
] as const satisfies readonly (keyof LedgerRow)[];

const INCOMING: ReadonlySet<EntryType> = new Set([
  'PAYMENT',
  'LATE_PAYMENT',
  'PART_PAYMENT',
  'SECOND_PAYMENT',
  'UNMATCHED',
]);

/** Money as it entered, before any decision of an operator. */
export function isIncoming({ type }: LedgerRow): boolean {
  return INCOMING.has(type);
}

interface Found {
  readonly place: number;
  readonly reference: string;
  readonly type: EntryType;
  readonly amountCents: number;
  readonly currency: string | null;
  readonly paymentRequestId: string | null;
  readonly merchantId: string | null;
  readonly bankReference: string | null;
  readonly bookingDate: string | null;
  readonly at: Date;
}

export class Ledger {
  readonly rows: Table<LedgerRow>;
  readonly #requests: PaymentRequests;

  constructor(journal: Journal, requests: PaymentRequests) {
    this.rows = new Table(journal);
    this.#requests = requests;
  }

  /** The models of ledger/record-store.ts and network/money/movement-store.ts. */
  handlers(): Handlers {
    return {
      'ledger-insert': (values) => this.#insert(unnest<LedgerRow>(values, COLUMNS)),
      'network-reference-lock': () => [],
      'network-reference-find-movements': ([references]) => this.#find(fromJson(references)),
      'ledger-find-last-part': ([id]) => {
        const { network_reference: networkReference, created_at: at } =
          this.#parts(id).at(-1) ?? {};
        return networkReference ? [{ networkReference, at }] : [];
      },
      'cases-find-parts': ([id]) =>
        this.#parts(id).map(({ network_reference, amount_cents }) => ({
          networkReference: network_reference,
          amountCents: amount_cents,
        })),
    };
  }

  #parts(id: unknown): LedgerRow[] {
    return this.rows.where(
      (row) =>
        row.payment_request_id === id &&
        (row.type === 'PART_PAYMENT' || row.type === 'ASSIGNED') &&
        row.amount_cents > 0,
    );
  }

  /** The unique indexes of the ledger decide; a movement that it has is left out. */
  #insert(rows: readonly LedgerRow[]): { id: string }[] {
    return rows.flatMap((row) => {
      const isKnown = this.rows.all().some((known) => isSameMovement(known, row));
      if (isKnown) return [];
      this.rows.put(row.id, row);
      return { id: row.id };
    });
  }

  #find(references: readonly string[]): Found[] {
    const asked = new Set(references);
    const entries = this.rows
      .where(({ network_reference: name }) => name !== null && asked.has(name))
      .flatMap(foundIn);
    const paid = this.#requests.rows
      .where(({ payment_network_reference: name }) => name !== null && asked.has(name))
      .map((row) => ({
        place: 1,
        reference: row.payment_network_reference ?? '',
        type: 'PAYMENT' as const,
        amountCents: row.amount_cents,
        currency: null,
        paymentRequestId: row.id,
        merchantId: row.merchant_id,
        bankReference: null,
        bookingDate: null,
        at: row.payment_completed_at ?? new Date(0),
      }));
    return [...paid, ...entries].sort(
      (one, other) => one.place - other.place || other.at.getTime() - one.at.getTime(),
    );
  }
}

function isSameMovement(known: LedgerRow, row: LedgerRow): boolean {
  const isSameName = known.network_reference === row.network_reference;
  if (row.network_reference !== null && isSameName) {
    if (isIncoming(known) && isIncoming(row)) return true;
    if (known.type === 'RETURN' && row.type === 'RETURN') return true;
  }
  const isFee = known.type === 'FEE' && row.type === 'FEE';
  if (isFee && isSameName && known.refund_id === row.refund_id) return true;
  const isOfRefund = row.type === 'REFUND' || row.type === 'REFUND_RETURN';
  return isOfRefund && known.type === row.type && known.refund_id === row.refund_id;
}

function placeOf({ type, amount_cents: cents, payment_request_id: id }: LedgerRow): number | null {
  if (type === 'RETURN') return 3;
  if (type === 'ADJUSTMENT') return 6;
  if (type !== 'ASSIGNED') return INCOMING.has(type) ? 2 : null;
  if (cents < 0) return 4;
  return id === null ? 3 : 5;
}

function foundIn(row: LedgerRow): Found[] {
  const place = placeOf(row);
  if (place === null) return [];
  const isWaitingPart = row.type === 'ASSIGNED' && place === 3;
  return [
    {
      place,
      reference: row.network_reference ?? '',
      type: isWaitingPart ? 'UNMATCHED' : row.type,
      amountCents: Math.abs(row.amount_cents),
      currency: row.currency,
      paymentRequestId: row.payment_request_id,
      merchantId: row.merchant_id,
      bankReference: row.bank_reference,
      bookingDate: row.booking_date,
      at: row.created_at,
    },
  ];
}
