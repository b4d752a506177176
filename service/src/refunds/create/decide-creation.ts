import { formatAmount } from '#lib/money.ts';
import { Problem } from '#lib/problem.ts';
import { availableCents, type Refund, type RefundedPayment } from '#refunds/model/refund.ts';
import type { RefundReason } from '#refunds/model/statuses.ts';

/** The values that a merchant asked for, validated. */
export interface NewRefund {
  /** null: all that is available. */
  readonly amountCents: number | null;
  /** The guard; null: none. */
  readonly expectedAvailableCents: number | null;
  readonly reason: RefundReason;
  readonly message: string | null;
  readonly webhookUrl: string | null;
}

/** Facts of the database that decide about a creation, read under locks. */
export interface CreationFacts {
  /** null: unknown, or of another merchant. */
  readonly payment: RefundedPayment | null;
  /** The refund that the merchant has created under the same merchantRefundId; null: none. */
  readonly known: { readonly refund: Refund; readonly bodyHash: Buffer } | null;
  /** The merchantRefundId is that of a refund that retention has deleted. */
  readonly isSpent: boolean;
  /** The merchant's limit of a day; 0: refunds are off. */
  readonly limitCents: number;
  /** The sum of the merchant's refunds of this day. */
  readonly countedCents: number;
  /** Whether the network can give this money back. */
  readonly isSupported: boolean;
}

export interface AskedCreation {
  readonly paymentRequestId: string;
  readonly bodyHash: Buffer;
  /** The result of `validateRefund`. */
  readonly validated: NewRefund | Problem;
}

export type CreationDecision =
  | { readonly kind: 'REPEATED'; readonly refund: Refund }
  | { readonly kind: 'NEW'; readonly asked: NewRefund; readonly amountCents: number };

/**
 * Decides about a creation (contract §11). A merchantRefundId that was used before decides first:
 * a repetition is answered also when its amount, guard or limit would refuse it by now. Pure.
 *
 * @throws Problem that refuses the creation
 */
export function decideCreation(
  { paymentRequestId, bodyHash, validated }: AskedCreation,
  facts: CreationFacts,
): CreationDecision {
  const { known, payment } = facts;
  if (known) {
    const { refund } = known;
    const isEqual =
      refund.paymentRequestId === paymentRequestId.toLowerCase() && known.bodyHash.equals(bodyHash);
    if (!isEqual) throw new Problem('DUPLICATE_MERCHANT_REFUND_ID');
    return { kind: 'REPEATED', refund };
  }
  // The body of the deleted refund is not known: nobody can tell whether the call repeats it.
  if (facts.isSpent) throw new Problem('DUPLICATE_MERCHANT_REFUND_ID');
  if (validated instanceof Problem) throw validated;
  if (!payment) throw new Problem('PAYMENT_REQUEST_NOT_FOUND');
  if (facts.limitCents === 0) throw new Problem('REFUNDS_DISABLED');
  if (!facts.isSupported) throw new Problem('REFUNDS_NOT_SUPPORTED');
  if (!payment.isPaid) throw new Problem('NOT_PAID');
  const available = availableCents(payment);
  const { expectedAvailableCents } = validated;
  if (expectedAvailableCents !== null && expectedAvailableCents !== available) {
    const detail = `${formatAmount(available)} is available, not expectedAmountAvailable.`;
    throw new Problem('REFUND_AMOUNT_MISMATCH', { detail });
  }
  const amountCents = validated.amountCents ?? available;
  if (amountCents > available || amountCents === 0) {
    const detail =
      available === 0
        ? 'Nothing of the payment is available for a refund.'
        : `The refund is above the ${formatAmount(available)} that is available of the payment.`;
    throw new Problem('REFUND_AMOUNT_EXCEEDED', { detail });
  }
  if (facts.countedCents + amountCents > facts.limitCents) {
    throw new Problem('REFUND_LIMIT_REACHED');
  }
  return { kind: 'NEW', asked: validated, amountCents };
}
