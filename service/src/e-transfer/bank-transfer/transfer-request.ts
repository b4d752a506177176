import type { CreditorAccount, ShownRequest } from '../e-transfer-network.ts';
import type { HolderAddress } from './qr/transfer.ts';

/**
 * PAID: the payment request is, also by an operator. CANCELLED: the page shows no account any more;
 * money can still come. An OPEN one can have expired.
 */
export type TransferState = 'OPEN' | 'PAID' | 'CANCELLED';

/** A payment request as the bank-transfer network keeps it. */
export interface TransferRequest extends ShownRequest {
  readonly merchantId: string;
  /** In the page's address. */
  readonly pageKey: string;
  /** Electronic form, never grouped. */
  readonly reference: string;
  /** The version of the account that the page shows. */
  readonly account: CreditorAccount & {
    readonly address: HolderAddress | null;
    /** A proven Interac address; null: the payer sees none. */
    readonly etransferAddress: string | null;
  };
  /** The bank has closed it: it takes no money. */
  readonly isAccountClosed: boolean;
  readonly state: TransferState;
  /** The sum of the parts that have arrived. */
  readonly receivedCents: number;
  readonly announcedAt: Date | null;
  readonly sentAt: Date | null;
  /** When this service cancelled it, which it also does after the expiry. */
  readonly cancelledAt: Date | null;
}

/** The steps of a payer at the page (bank-transfer §2). */
export type TransferStep =
  /** The page shows how to pay. */
  | 'ASK'
  /** The payer has sent the transfer, or a bank has announced it. */
  | 'WAIT'
  /** At least the amount has arrived and is not reported as paid: an operator looks at it. */
  | 'CHECK'
  | 'PAID'
  /** The bank has closed the account that the page showed. */
  | 'CLOSED'
  | 'EXPIRED'
  | 'CANCELLED';

/** The page follows the state, not the click. Pure. */
export function transferStepOf(
  request: Pick<
    TransferRequest,
    | 'state'
    | 'isExpired'
    | 'expiresAt'
    | 'cancelledAt'
    | 'receivedCents'
    | 'amountCents'
    | 'sentAt'
    | 'announcedAt'
    | 'isAccountClosed'
  >,
): TransferStep {
  const { state, isExpired, receivedCents, amountCents, sentAt, announcedAt } = request;
  if (state === 'PAID') return state;
  if (state === 'CANCELLED') {
    const isAfterExpiry = request.cancelledAt !== null && request.cancelledAt >= request.expiresAt;
    return isAfterExpiry ? 'EXPIRED' : 'CANCELLED';
  }
  if (receivedCents >= amountCents) return 'CHECK';
  if (isExpired) return 'EXPIRED';
  if (request.isAccountClosed) return 'CLOSED';
  return sentAt || announcedAt ? 'WAIT' : 'ASK';
}

/** The rest that the payer still owes: the QR code and the amount to copy hold it. */
export function owedCents({
  amountCents,
  receivedCents,
}: Pick<TransferRequest, 'amountCents' | 'receivedCents'>): number {
  return Math.max(0, amountCents - receivedCents);
}
