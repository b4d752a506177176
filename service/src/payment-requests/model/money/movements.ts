import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { EntryType, NewLedgerEntry } from '#ledger/model/entry.ts';
import type { PaymentRequest } from '../payment-request.ts';
import { STATUS_FACTS } from '../statuses.ts';

/** A ledger entry that belongs to a plan; the writer adds when it was written. */
export interface PlannedEntry extends Omit<NewLedgerEntry, 'createdAt' | 'currency'> {
  /** ISO 4217; null: the deployment's. */
  readonly currency: string | null;
  /** null: when the plan is written. */
  readonly createdAt: Date | null;
}

export interface EntryOfMovement {
  readonly type: EntryType;
  readonly movement: MoneyMovement;
  readonly merchantId: string | null;
  readonly paymentRequestId: string | null;
  /** ISO 4217; left out: the deployment's. */
  readonly currency?: string;
  /** −1 for money that went out; 1 when left out. */
  readonly sign?: 1 | -1;
}

export function entryOf({
  type,
  movement,
  merchantId,
  paymentRequestId,
  currency,
  sign = 1,
}: EntryOfMovement): PlannedEntry {
  const { networkReference, amountCents, bankReference, bookingDate } = movement;
  return {
    merchantId,
    type,
    amountCents: sign * amountCents,
    currency: currency ?? null,
    paymentRequestId,
    refundId: null,
    networkReference,
    bankReference,
    bookingDate,
    createdAt: null,
  };
}

/** Money that a network names by its reference alone. */
export function bareMovement(networkReference: string, amountCents: number): MoneyMovement {
  return { networkReference, amountCents, bankReference: null, bookingDate: null };
}

export function sumOf(movements: readonly Pick<MoneyMovement, 'amountCents'>[]): number {
  return movements.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** The entries of the money that makes a payment request PAID: the last movement completes it. */
export function paymentEntries(
  { id, merchant, status }: Pick<PaymentRequest, 'id' | 'merchant' | 'status'>,
  movements: readonly MoneyMovement[],
): PlannedEntry[] {
  const last = STATUS_FACTS[status].isOver ? 'LATE_PAYMENT' : 'PAYMENT';
  return movements.map((movement, index) =>
    entryOf({
      type: index === movements.length - 1 ? last : 'PART_PAYMENT',
      movement,
      merchantId: merchant.id,
      paymentRequestId: id,
    }),
  );
}

/** The money in entries that counts as received for a payment request. */
export function countedCents(entries: readonly PlannedEntry[], paymentRequestId: string): number {
  return entries
    .filter((entry) => entry.paymentRequestId === paymentRequestId)
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}
