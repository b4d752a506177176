import type { Advance } from './advance.ts';
import type {
  CallOptions,
  ListOptions,
  ReadOptions,
  RepeatableCallOptions,
  UpdateOptions,
} from './call-options.ts';
import type { PagedList } from './calls/read-pages.ts';
import type { CsvExport } from './csv-export.ts';
import type { Message, PaymentRequest, TimelineEntry } from './payment-request.ts';
import type {
  Cancellation,
  NewPaymentRequest,
  PaymentRequestChanges,
  PaymentRequestFilters,
  Simulation,
} from './payment-request-inputs.ts';

export interface PaymentRequestCalls {
  /**
   * Creates a payment request. Open its `paymentLink` for the payer, then wait for the webhook.
   *
   * @throws InvalidArgumentError for an amount with more than two decimals, before the call
   * @throws ProblemError `VALIDATION_ERROR` with every fault in `errors`
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
    options?: RepeatableCallOptions,
  ): Promise<PaymentRequest>;

  /**
   * Reads the current payment request.
   *
   * @returns null only with `ifNoneMatch`, while that version is the latest
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
   * Iterates over payment requests, newest first. The client fetches a page when it is needed;
   * `pages()` gives whole pages with the cursor to continue later.
   *
   * @example
   * const open = { status: ['CREATED', 'PROCESSING'] } as const;
   * for await (const { id, status } of client.listPaymentRequests(open)) {
   *   console.log(id, status);
   * }
   */
  listPaymentRequests(
    filters?: PaymentRequestFilters,
    options?: ListOptions,
  ): PagedList<PaymentRequest>;

  /**
   * Exports all payment requests that match as CSV. A merchant has one export at a time. `limit`
   * and pages do not apply. The client retries until the answer begins; an export that breaks off
   * fails with a NoAnswerError, so that half a file never looks complete.
   *
   * @throws ProblemError `RATE_LIMITED` while another export runs
   * @example
   * const csv = await client.exportPaymentRequests({ status: 'PAID' });
   * console.log(csv.fileName);
   * for await (const text of csv) console.log(text);
   */
  exportPaymentRequests(filters?: PaymentRequestFilters, options?: CallOptions): Promise<CsvExport>;

  /**
   * Cancels an unpaid payment request. A cancelled payment request is answered again.
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
   * Changes a payment request that is still CREATED; `null` removes a field.
   *
   * The client does not retry a call with `ifMatch` after a missing answer. The first attempt may
   * have succeeded; the service would then refuse the retry because of your own new version.
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
   * Iterates over the timeline of a payment request, oldest first: its statuses and their causes,
   * the payer's steps, and every webhook attempt with your listener's answer.
   *
   * @example
   * for await (const { type, dateTime } of client.readTimeline(paymentRequestId)) {
   *   console.log(dateTime, type);
   * }
   */
  readTimeline(id: string, options?: ListOptions): PagedList<TimelineEntry>;

  /**
   * Iterates over the messages to the payer, newest first: the link, receipts, cancellations.
   *
   * @example
   * await client.sendMessage(paymentRequestId, { channel: 'EMAIL' });
   * for await (const { kind, status } of client.listMessages(paymentRequestId)) {
   *   console.log(kind, status);
   * }
   */
  listMessages(id: string, options?: ListOptions): PagedList<Message>;

  /**
   * Sends the payer the link again, while the payment request is CREATED.
   *
   * @throws ProblemError `NO_DELIVERY_CHANNEL`, `MESSAGE_LIMIT_REACHED`, `ALREADY_…`
   * @example
   * const message = await client.sendMessage(paymentRequestId, { channel: 'EMAIL' });
   * console.log(message.status);
   */
  sendMessage(
    id: string,
    message?: { readonly channel?: 'EMAIL' | 'SMS' | undefined },
    options?: RepeatableCallOptions,
  ): Promise<Message>;

  /**
   * Makes an outcome happen to a payment request of the sandbox.
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

  /**
   * Advances the time of a payment request of the sandbox: expiry, messages, simulated outcomes,
   * and the waits between attempts of its webhooks. Read the payment request until
   * `sandboxAdvancedSeconds` has reached the sum of the answer.
   *
   * @throws ProblemError `ADVANCE_RUNNING`, and `ROUTE_NOT_FOUND` in production
   * @example
   * const { willRun } = await client.advancePaymentRequest(paymentRequestId, { seconds: 259_200 });
   * for (const { type, dueDateTime } of willRun) console.log(type, dueDateTime);
   */
  advancePaymentRequest(
    id: string,
    advance: { readonly seconds: number },
    options?: RepeatableCallOptions,
  ): Promise<Advance>;
}
