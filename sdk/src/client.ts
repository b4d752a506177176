import type {
  CreateOptions,
  ListOptions,
  ReadOptions,
  RepeatableCallOptions,
  UpdateOptions,
} from './call-options.ts';
import type {
  Cancellation,
  NewPaymentRequest,
  PaymentRequest,
  PaymentRequestChanges,
  PaymentRequestFilters,
  Simulation,
  TimelineEntry,
} from './payment-request.ts';

/**
 * One merchant's access to the service, in one environment: made by `createClient`.
 *
 * Beside what each call names, all of them reject with a ProblemError when the service refuses, an
 * AccessTokenError when it does not know the credentials, and a NoAnswerError when none came.
 */
export interface Client {
  /**
   * Creates a payment request. Open its `paymentLink` for the payer, and wait for the webhook.
   *
   * @throws RangeError for an amount with more than two decimals, before anything is sent
   * @throws ProblemError `VALIDATION_ERROR` with all faulty fields in `errors`
   * @example
   * const paymentRequest = await client.createPaymentRequest(
   *   {
   *     amount: '25.50',
   *     payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
   *     merchantTransactionId: 'order-1042',
   *   },
   *   { idempotencyKey: 'order-1042' },
   * );
   * console.log(paymentRequest.status, paymentRequest.paymentLink);
   */
  createPaymentRequest(
    newPaymentRequest: NewPaymentRequest,
    options?: CreateOptions,
  ): Promise<PaymentRequest>;

  /**
   * Reads a payment request as it is now.
   *
   * @returns null only with `ifNoneMatch`, when it is still that version
   * @throws ProblemError `PAYMENT_REQUEST_NOT_FOUND`
   * @example
   * const { status, statusReason } = await client.getPaymentRequest(paymentRequestId);
   * console.log(status, statusReason?.message);
   */
  getPaymentRequest(
    id: string,
    options: ReadOptions & { readonly ifNoneMatch: string },
  ): Promise<PaymentRequest | null>;
  getPaymentRequest(id: string, options?: ReadOptions): Promise<PaymentRequest>;

  /**
   * Goes through payment requests, the newest first, fetching page by page as you go.
   *
   * @example
   * const open = { status: ['CREATED', 'PROCESSING'] };
   * for await (const { id, status } of client.listPaymentRequests(open)) {
   *   console.log(id, status);
   * }
   */
  listPaymentRequests(
    filters?: PaymentRequestFilters,
    options?: ListOptions,
  ): AsyncGenerator<PaymentRequest, void, undefined>;

  /**
   * Cancels a payment request that nobody has paid yet. Cancelled already, it is answered again.
   *
   * @throws ProblemError `ALREADY_PAID`, `ALREADY_EXPIRED`, `ALREADY_FAILED`, `PAYMENT_IN_PROGRESS`
   * @example
   * const cancelled = await client.cancelPaymentRequest(paymentRequestId, {
   *   reason: 'REQUESTED_BY_CUSTOMER',
   * });
   * console.log(cancelled.status === 'CANCELLED');
   */
  cancelPaymentRequest(
    id: string,
    cancellation?: Cancellation,
    options?: RepeatableCallOptions,
  ): Promise<PaymentRequest>;

  /**
   * Changes a payment request that is still CREATED; `null` takes a field away.
   *
   * With `ifMatch` it is not sent again when no answer came: the first time may have been done, and
   * the second would then be refused for a version that is your own.
   *
   * @throws ProblemError `IMMUTABLE_FIELD` among its errors, `VERSION_MISMATCH`, `ALREADY_…`
   * @example
   * const changed = await client.updatePaymentRequest(paymentRequestId, {
   *   displayMessage: 'Two tickets, row 7',
   *   metadata: { row: '7' },
   * });
   * console.log(changed.displayMessage);
   */
  updatePaymentRequest(
    id: string,
    changes: PaymentRequestChanges,
    options?: UpdateOptions,
  ): Promise<PaymentRequest>;

  /**
   * Goes through what happened to a payment request, oldest first: its statuses and their causes,
   * what the payer did, and every webhook attempt with what your listener answered.
   *
   * @example
   * for await (const { type, dateTime } of client.timeline(paymentRequestId)) {
   *   console.log(dateTime, type);
   * }
   */
  timeline(id: string, options?: ListOptions): AsyncGenerator<TimelineEntry, void, undefined>;

  /**
   * Lets something happen to a payment request of the sandbox.
   *
   * @throws ProblemError `ROUTE_NOT_FOUND` in production
   * @example
   * const failed = await client.simulateOutcome(paymentRequestId, {
   *   outcome: 'FAILED',
   *   reason: 'INSUFFICIENT_FUNDS',
   * });
   * console.log(failed.status);
   */
  simulateOutcome(
    id: string,
    simulation: Simulation,
    options?: RepeatableCallOptions,
  ): Promise<PaymentRequest>;
}
