/** The content of the database and of the complete lists, after the drain. */
export interface Books {
  readonly paymentRequests: readonly StoredPaymentRequest[];
  /** In the order of the feed. */
  readonly events: readonly StoredEvent[];
  readonly refunds: readonly StoredRefund[];
  /** In the order of the list. */
  readonly ledger: readonly StoredEntry[];
  /** The acts of people in the console. */
  readonly audit: readonly StoredAct[];
  /** Work that is left: its kind and how much. */
  readonly open: Readonly<Record<string, number>>;
}

export interface StoredPaymentRequest {
  readonly id: string;
  readonly merchantId: string;
  readonly transactionId: string | null;
  readonly amountCents: number;
  readonly status: string;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** All statuses, in order. */
  readonly statuses: readonly string[];
  readonly receivedCents: number;
  readonly refundedCents: number;
  readonly refundingCents: number;
}

export interface StoredEvent {
  readonly id: string;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly sequence: number;
  readonly type: string;
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string;
  /** The statuses of its deliveries. */
  readonly deliveries: readonly string[];
}

export interface StoredRefund {
  readonly id: string;
  readonly merchantId: string;
  readonly paymentRequestId: string;
  readonly merchantRefundId: string | null;
  readonly amountCents: number;
  readonly status: string;
  /** All statuses, in order. */
  readonly statuses: readonly string[];
}

export interface StoredEntry {
  readonly id: string;
  readonly merchantId: string;
  readonly type: string;
  readonly amountCents: number;
  readonly paymentRequestId: string | null;
  readonly refundId: string | null;
}

/** An entry of the audit log. */
export interface StoredAct {
  readonly actor: string;
  readonly action: string;
  readonly merchantId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}
