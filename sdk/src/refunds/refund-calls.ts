import type {
  CallOptions,
  ListOptions,
  ReadOptions,
  RepeatableCallOptions,
} from '../call-options.ts';
import type { PagedList } from '../calls/read-pages.ts';
import type { CsvExport } from '../csv-export.ts';
import type {
  CompletedRefund,
  FailedRefund,
  NewRefund,
  Refund,
  RefundFilters,
  RefundSimulation,
} from '../refund.ts';

export interface WaitForRefundOptions {
  /** Give up after this many seconds: 1 to 86,400, default 60. */
  readonly giveUpAfterSeconds?: number | undefined;
  /** Ends the waiting; the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface RefundCalls {
  /**
   * Gives money of a payment back, in part or all that is available. Give a `merchantRefundId`
   * that your database keeps: then no lost answer and no second click refunds twice.
   *
   * @throws InvalidArgumentError for an amount with more than two decimals, before the call
   * @throws ProblemError `REFUND_AMOUNT_EXCEEDED`, `REFUND_AMOUNT_MISMATCH`, `NOT_PAID`,
   * `REFUNDS_DISABLED`, `REFUNDS_NOT_SUPPORTED`, `DUPLICATE_MERCHANT_REFUND_ID`
   * @example
   * const refund = await client.createRefund(paymentRequestId, {
   *   amount: '5.00',
   *   merchantRefundId: 'order-1042-refund-1',
   * });
   * console.log(refund.status, refund.amount);
   */
  createRefund(
    paymentRequestId: string,
    newRefund?: NewRefund,
    options?: RepeatableCallOptions,
  ): Promise<Refund>;

  /**
   * Reads the current refund.
   *
   * @returns null only with `ifNoneMatch`, while that version is the latest
   * @throws ProblemError `REFUND_NOT_FOUND`
   * @example
   * const { status, statusReason } = await client.getRefund(refundId);
   * console.log(status, statusReason?.message);
   */
  getRefund(
    id: string,
    options: ReadOptions & { readonly ifNoneMatch: string },
  ): Promise<Refund | null>;
  getRefund(id: string, options?: ReadOptions): Promise<Refund>;

  /**
   * Waits until a refund is COMPLETED or FAILED. Bank transfers take days: rather act on the
   * webhooks `REFUND-COMPLETED` and `REFUND-FAILED`.
   *
   * @throws NoAnswerError when the refund is still open after `giveUpAfterSeconds`
   * @example
   * const refund = await client.waitForRefund(refundId, { giveUpAfterSeconds: 30 });
   * console.log(refund.status === 'COMPLETED');
   */
  waitForRefund(
    id: string,
    options?: WaitForRefundOptions,
  ): Promise<CompletedRefund | FailedRefund>;

  /**
   * Iterates over refunds, newest first.
   *
   * @example
   * for await (const { id, amount } of client.listRefunds({ status: 'COMPLETED' })) {
   *   console.log(id, amount);
   * }
   */
  listRefunds(filters?: RefundFilters, options?: ListOptions): PagedList<Refund>;

  /**
   * Iterates over the refunds of one payment request.
   *
   * @example
   * for await (const { id, status } of client.listRefundsOfPaymentRequest(paymentRequestId)) {
   *   console.log(id, status);
   * }
   */
  listRefundsOfPaymentRequest(paymentRequestId: string, options?: ListOptions): PagedList<Refund>;

  /**
   * Makes an outcome happen to a refund of the sandbox.
   *
   * @throws ProblemError `REFUND_OUTCOME_IMPOSSIBLE`, and `ROUTE_NOT_FOUND` in production
   * @example
   * const returned = await client.simulateRefund(refundId, { outcome: 'RETURNED' });
   * console.log(returned.status, returned.statusReason?.code);
   */
  simulateRefund(
    id: string,
    simulation: RefundSimulation,
    options?: RepeatableCallOptions,
  ): Promise<Refund>;

  /**
   * Exports all refunds that match as CSV, as `exportPaymentRequests` does.
   *
   * @throws ProblemError `RATE_LIMITED` while another export runs
   * @example
   * const csv = await client.exportRefunds({ status: 'COMPLETED' });
   * for await (const text of csv) console.log(text);
   */
  exportRefunds(filters?: RefundFilters, options?: CallOptions): Promise<CsvExport>;
}
