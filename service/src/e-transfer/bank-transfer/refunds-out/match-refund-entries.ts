import type { Database } from '#database/database.ts';
import {
  bookedCentsOf,
  type MatchRefundEntries,
  type RefundEntry,
} from '#e-transfer/bank-transfer/entries/model/refund-entry.ts';
import type { NetworkListener } from '#e-transfer/e-transfer-network.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { RefundReport, UnclearRefundBooking } from '#e-transfer/network-refunds.ts';
import {
  findBankRefunds,
  findRefundsOfFiles,
  type StoredBankRefund,
  setRefundOutcomes,
} from './refund-store.ts';

export interface MatchRefundDeps
  extends Pick<NetworkListener, 'reportRefunds' | 'reportRefundBooking'> {
  readonly db: Database;
}

/** An entry with the refunds that it executes or brings back together. */
interface Booking {
  readonly entry: RefundEntry;
  readonly refunds: readonly StoredBankRefund[];
}

/**
 * Finds the entries that execute refunds (a debit with their EndToEndIds, or with the MsgId of the
 * payment file) or bring the money of one back (a credit with its EndToEndId), and reports them.
 * Account and currency have to be the refund's: anything else is left to the matching of payments.
 * An amount that nothing explains is a case. It completes no refund, and fails one only where the
 * bank says that the money came back: payers know the EndToEndId, and can write it themselves.
 */
export function createRefundMatcher(deps: MatchRefundDeps): MatchRefundEntries {
  return async (entries) => {
    const bookings = await findBookings(deps.db, entries);
    const weighed = bookings
      .map((booking) => ({ ...booking, ...weighBooking(booking.entry, sumOf(booking.refunds)) }))
      .filter((each) => each.isClear || !isPayment(each.entry));
    const reports = weighed.flatMap((each) =>
      each.isClear || isPartlyBack(each) ? reportsOf(each.entry, each.refunds, each.feeCents) : [],
    );
    const { db: _, reportRefunds, reportRefundBooking } = deps;
    if (reports.length > 0) await reportRefunds(reports, (tx) => setRefundOutcomes(tx, reports));
    for (const each of weighed) {
      if (!each.isClear) await reportRefundBooking(unclearOf(each));
    }
    return new Set(weighed.map(({ entry }) => entry.entryId));
  };
}

/** A payer may write the EndToEndId of a refund into the payment of another order. */
const isPayment = ({ direction, isReturn, isOfRequest }: RefundEntry): boolean =>
  direction === 'CREDIT' && !isReturn && isOfRequest;

async function findBookings(db: Database, entries: readonly RefundEntry[]): Promise<Booking[]> {
  const refundIds = [...new Set(entries.flatMap((entry) => entry.refundIds))];
  const messageIds = [...new Set(entries.flatMap((entry) => entry.messageIds))];
  const named = refundIds.length > 0 ? await findBankRefunds(db, refundIds) : [];
  const inFiles = messageIds.length > 0 ? await findRefundsOfFiles(db, messageIds) : [];
  return entries.flatMap((entry) => {
    const own = named.filter(({ refundId }) => entry.refundIds.includes(refundId));
    const refunds = own.length > 0 ? own : refundsOfFile(entry, inFiles);
    return refunds.length > 0 && refunds.every((each) => fits(entry, each))
      ? [{ entry, refunds }]
      : [];
  });
}

/** The refunds that a debit of a whole payment file executes: all that the bank has not refused. */
function refundsOfFile(
  entry: RefundEntry,
  inFiles: readonly StoredBankRefund[],
): readonly StoredBankRefund[] {
  if (entry.direction === 'CREDIT') return [];
  const all = inFiles.filter(
    ({ messageId, listReference, state }) =>
      state !== 'FAILED' &&
      [messageId, listReference].some((each) => each && entry.messageIds.includes(each)),
  );
  // The bank may have booked some of them one by one.
  const open = all.filter(({ state }) => state === 'SENT');
  const isOfOpen = open.length > 0 && weighBooking(entry, sumOf(open)).isClear;
  return isOfOpen && !weighBooking(entry, sumOf(all)).isClear ? open : all;
}

/** Only a refund that stands in a payment file can have been executed. */
function fits(entry: RefundEntry, refund: StoredBankRefund): boolean {
  if (refund.messageId === null) return false;
  if (entry.direction === 'DEBIT' && entry.isReturn) return false;
  return refund.currency === entry.currency && refund.accounts.includes(entry.account);
}

const sumOf = (refunds: readonly StoredBankRefund[]): number =>
  refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** The charges of an entry stand beside its first refund. */
function reportsOf(
  entry: RefundEntry,
  refunds: readonly StoredBankRefund[],
  feeCents: number,
): RefundReport[] {
  const isBatch = refunds.length > 1;
  // A batch says nothing new of a refund that the bank has booked by itself.
  const told = refunds.filter(
    ({ state }) => !isBatch || entry.direction === 'CREDIT' || state === 'SENT',
  );
  return told.map(({ refundId, amountCents }, index): RefundReport => {
    const movement = { ...movementOf(entry, isBatch ? refundId : null, refundId), amountCents };
    const fee = index === 0 && feeCents !== 0 ? { feeCents } : {};
    return entry.direction === 'DEBIT'
      ? { refundId, outcome: { state: 'COMPLETED', movement, completedAt: entry.bookedAt, ...fee } }
      : { refundId, outcome: { state: 'RETURNED', movement, ...fee } };
  });
}

/** @param alone names a refund by itself where the bank's reference is that of several */
function movementOf(entry: RefundEntry, alone: string | null, refundId: string): MoneyMovement {
  const { bankReference, bookingDate, direction } = entry;
  const named = alone ?? bankReference ?? refundId;
  const networkReference = `${named}-${direction}`;
  return { networkReference, amountCents: bookedCentsOf(entry), bankReference, bookingDate };
}

/** The bank returns the refund, and less than all of it. */
const isPartlyBack = ({ entry, feeCents }: Booking & { readonly feeCents: number }): boolean =>
  entry.direction === 'CREDIT' && entry.isReturn && feeCents > 0;

function unclearOf(booking: Booking & { readonly feeCents: number }): UnclearRefundBooking {
  const { entry, refunds } = booking;
  const { direction, currency } = entry;
  const refundIds = refunds.map(({ refundId }) => refundId);
  const movement = movementOf(entry, null, refundIds[0] ?? '');
  return { refundIds, direction, isBooked: isPartlyBack(booking), movement, currency };
}

interface BookingVerdict {
  /** Whether the bank explains the difference, or there is none. */
  readonly isClear: boolean;
  /** Charges beside the refund; below zero: the bank gave more. */
  readonly feeCents: number;
}

/**
 * Compares a booking with the amount of its refunds (contract §11, Ledger). The booked amount may
 * be another one: a debit holds the bank's charges, too, and a credit is less by them. That is
 * clear where the bank states the refund's own amount, or charges that are the difference.
 */
function weighBooking(
  entry: Pick<RefundEntry, 'direction' | 'amountCents' | 'feeCents' | 'statedCents'>,
  refundCents: number,
): BookingVerdict {
  const booked = bookedCentsOf(entry);
  const difference = entry.direction === 'DEBIT' ? booked - refundCents : refundCents - booked;
  const isStated = [entry.amountCents, ...entry.statedCents].includes(refundCents);
  return { isClear: difference === 0 || (difference > 0 && isStated), feeCents: difference };
}
