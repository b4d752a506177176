/** The causes of an e-mail to a merchant (contract §11, bank-transfer §5). */
export const NOTICE_KINDS = ['PAYMENT_RETURNED', 'REFUND_FAILED', 'ACCOUNT_CHANGED'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A notice that the transaction of its cause writes. */
export type NewNotice = { readonly merchantId: string } & (
  | {
      readonly kind: 'PAYMENT_RETURNED';
      readonly paymentRequestId: string;
      /** All money of the payment request that was returned so far; null: not known. */
      readonly amountCents: number | null;
      readonly currency: string | null;
    }
  | {
      readonly kind: 'REFUND_FAILED';
      readonly paymentRequestId: string;
      readonly refundId: string;
      readonly amountCents: number | null;
      readonly currency: string | null;
      readonly statusReasonCode: string | null;
    }
  | {
      readonly kind: 'ACCOUNT_CHANGED';
      /** Whole account numbers; only the last four characters are stored. */
      readonly number: string;
      readonly previous: string | null;
    }
);

/** A notice as it is stored, with all that its e-mail needs. */
export interface Notice {
  readonly id: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly kind: NoticeKind;
  readonly paymentRequestId: string | null;
  readonly refundId: string | null;
  readonly amountCents: number | null;
  readonly currency: string | null;
  readonly statusReasonCode: string | null;
  readonly numberEnd: string | null;
  readonly previousNumberEnd: string | null;
  readonly createdAt: Date;
}
