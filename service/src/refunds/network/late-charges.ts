import type { MoneyMovement } from '#e-transfer/network-money.ts';
import type { RefundFee } from '#e-transfer/network-refunds.ts';
import type { NewLedgerEntry } from '#ledger/model/entry.ts';
import type { Refund } from '#refunds/model/refund.ts';

/**
 * Whether the money came back before the bank stated that it had left: the ledger has both
 * movements, and knows nothing of the charges of the first.
 */
export function lacksExecution({ status, statusReasonCode, payment }: Refund): boolean {
  return status === 'FAILED' && statusReasonCode === 'REFUND_RETURNED' && payment === null;
}

/** Whether no debit of the refund is known, so that one is expected. */
export function expectsDebit(refund: Refund): boolean {
  return refund.status === 'PROCESSING' || lacksExecution(refund);
}

/**
 * The charges of a debit that the bank states after its money came back. Messages may carry the
 * debit under several references: the refund's own lets the ledger take its charges once.
 */
export function lateCharges(
  refund: Refund,
  movement: Pick<MoneyMovement, 'bankReference' | 'bookingDate'>,
  feeCents: RefundFee,
): Omit<NewLedgerEntry, 'currency' | 'createdAt'>[] {
  const { id: refundId, merchantId, paymentRequestId } = refund;
  if (feeCents === 0 || !lacksExecution(refund)) return [];
  return [
    {
      merchantId,
      type: feeCents > 0 ? 'FEE' : 'ADJUSTMENT',
      amountCents: -feeCents,
      paymentRequestId,
      refundId,
      networkReference: `${refundId}-DEBIT`,
      bankReference: movement.bankReference,
      bookingDate: movement.bookingDate,
    },
  ];
}
