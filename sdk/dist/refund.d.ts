import type { Amount } from './amounts.js';
import type { SimulatedRefundReasonCode } from './errors/codes.js';
import type { OneOf, StatusReasonCode } from './payment-request.js';
/** CREATED and PROCESSING are open; COMPLETED becomes FAILED only when the money comes back. */
export type RefundStatus = 'CREATED' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
/** Your reason for a refund. */
export type RefundReason = 'REQUESTED_BY_CUSTOMER' | 'DUPLICATE' | 'FRAUDULENT' | 'OTHER';
/** The fields of a new refund; without `amount` all that is available goes back. */
export interface NewRefund {
    /** Above zero. The client sends it exactly; see `Amount`. */
    readonly amount?: Amount | undefined;
    /** ISO 4217; if given, it must be the currency of the service. */
    readonly currency?: string | undefined;
    /**
     * Your own id of the refund, never used before: a call with it refunds once, however often and
     * from wherever it is sent. A FAILED refund keeps it; a new attempt needs a new id.
     */
    readonly merchantRefundId?: string | undefined;
    /** Refuses the refund when another amount is available than the one that you read. */
    readonly expectedAmountAvailable?: Amount | undefined;
    /** Your reason; default REQUESTED_BY_CUSTOMER. */
    readonly reason?: RefundReason | undefined;
    /** 1 to 140 characters, on the payer's bank statement where the network can carry them. */
    readonly message?: string | undefined;
    /** An HTTPS receiver of this refund's events. */
    readonly webhookUrl?: string | undefined;
}
/** The members of a refund in every status. */
export interface RefundMembers {
    readonly id: string;
    readonly paymentRequestId: string;
    readonly merchantRefundId?: string;
    readonly reason: OneOf<RefundReason>;
    readonly message?: string;
    readonly webhookUrl?: string;
    /** For arithmetic: `amountToCents(refund.amount)`. */
    readonly amount: number;
    /** ISO 4217. */
    readonly currency: string;
    readonly status: RefundStatus;
    readonly statusReason?: RefundStatusReason;
    /** The money that went back. */
    readonly payment?: RefundPayment;
    readonly createdDateTime: string;
    readonly events: readonly {
        readonly status: RefundStatus;
        readonly dateTime: string;
    }[];
    readonly links: readonly {
        readonly rel: string;
        readonly href: string;
    }[];
}
/** The reason of a FAILED refund; the message is for you. */
export interface RefundStatusReason {
    readonly code: OneOf<StatusReasonCode | 'PAYER_ACCOUNT_UNKNOWN' | 'PAYMENT_RETURNED' | 'REFUND_RETURNED'>;
    readonly message: string;
}
/** The money that went back, for reconciliation. */
export interface RefundPayment {
    readonly networkReference: string;
    readonly completedDateTime: string;
}
/** A refund whose outcome is not known yet. */
export interface OpenRefund extends RefundMembers {
    readonly status: 'CREATED' | 'PROCESSING';
}
/** A refund that the network executed. */
export interface CompletedRefund extends RefundMembers {
    readonly status: 'COMPLETED';
}
/** A refund that failed, or whose money came back: its amount is available again. */
export interface FailedRefund extends RefundMembers {
    readonly status: 'FAILED';
    readonly statusReason: RefundStatusReason;
}
/** A refund in an answer of the service or in a webhook. Its status narrows it. */
export type Refund = OpenRefund | CompletedRefund | FailedRefund;
/** The outcome that the sandbox makes happen to a refund. */
export interface RefundSimulation {
    /** RETURNED: the money comes back, and the refund is FAILED. */
    readonly outcome: 'COMPLETED' | 'FAILED' | 'RETURNED';
    /** Only with FAILED. */
    readonly reason?: SimulatedRefundReasonCode | undefined;
}
/** The filters of a list of refunds. */
export interface RefundFilters {
    /** Only this status, or one of these. */
    readonly status?: OneOf<RefundStatus> | readonly OneOf<RefundStatus>[] | undefined;
    /** Your own id of the refund. */
    readonly merchantRefundId?: string | undefined;
    /** Only refunds of this payment request. */
    readonly paymentRequestId?: string | undefined;
    /** Created at this instant or later. */
    readonly createdFrom?: string | Date | undefined;
    /** Created before this instant. */
    readonly createdTo?: string | Date | undefined;
}
