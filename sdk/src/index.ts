export type { Advance } from './advance.ts';
export { type Amount, amountToCents, centsToAmount } from './amounts.ts';
export { answerOf, type CallAnswer, entityTagOf } from './answers.ts';
export type { CallHooks, ReceivedResponse, SentRequest } from './call-hooks.ts';
export type {
  CallOptions,
  ListOptions,
  ReadOptions,
  RepeatableCallOptions,
  UpdateOptions,
  WriteOptions,
} from './call-options.ts';
export type { Page, PagedList } from './calls/read-pages.ts';
export type { Client } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export type { Clock } from './clock.ts';
export { createClient } from './create-client.ts';
export type { CsvExport } from './csv-export.ts';
export { AccessTokenError, type AccessTokenErrorCode } from './errors/access-token-error.ts';
export type {
  FieldFaultCode,
  ProblemCode,
  SimulatedReasonCode,
  SimulatedRefundReasonCode,
} from './errors/codes.ts';
export type { CredentialEnvironment } from './errors/credential-environment.ts';
export { InvalidArgumentError } from './errors/invalid-argument-error.ts';
export { NoAnswerError } from './errors/no-answer-error.ts';
export { PaymentRequestsError } from './errors/payment-requests-error.ts';
export { type FieldFault, ProblemError } from './errors/problem-error.ts';
export type { EventFeed, EventOf, EventPage, FeedOptions } from './event-feed/event-feed.ts';
export type {
  Ledger,
  LedgerEntry,
  LedgerEntryType,
  LedgerFilters,
  LedgerOptions,
  LedgerPage,
  ReconciliationReport,
  ReportItems,
  ReportOptions,
} from './ledger/ledger.ts';
export {
  type Delivery,
  type DeliveryMode,
  type LinkMessage,
  type Message,
  type MessageStatus,
  type OneOf,
  type OpenPaymentRequest,
  type OpenStatus,
  type PaidPaymentRequest,
  type Payer,
  type Payment,
  type PaymentRequest,
  type PaymentRequestMembers,
  type PaymentRequestStatus,
  type RefundSummary,
  STATUS_REASON_CODES,
  type StatusReason,
  type StatusReasonCode,
  type TimelineEntry,
  type UnpaidPaymentRequest,
  type UnpaidStatus,
} from './payment-request.ts';
export type {
  Cancellation,
  NewPaymentRequest,
  PaymentRequestChanges,
  PaymentRequestFilters,
  Simulation,
} from './payment-request-inputs.ts';
export type {
  CompletedRefund,
  FailedRefund,
  NewRefund,
  OpenRefund,
  Refund,
  RefundFilters,
  RefundMembers,
  RefundPayment,
  RefundReason,
  RefundSimulation,
  RefundStatus,
  RefundStatusReason,
} from './refund.ts';
export type { WaitForRefundOptions } from './refunds/refund-calls.ts';
export { SDK_VERSION } from './version.ts';
export type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryFilters,
  WebhookDeliveryWithAttempts,
} from './webhook-endpoints/delivery.ts';
export type { FollowOptions } from './webhook-endpoints/delivery-calls.ts';
export type {
  NewWebhookEndpoint,
  SecretRotation,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEventFilter,
} from './webhook-endpoints/endpoint.ts';
export type { ReplaySpan, WebhookReplay } from './webhook-endpoints/replay.ts';
export {
  type AnyWebhookEvent,
  type AnyWebhookEventType,
  isRefundEvent,
  type ListenerCredentials,
  type MessageUndeliveredEvent,
  type PaymentCompletedEvent,
  type PaymentEvent,
  type PaymentFailedEvent,
  type PaymentReturnedEvent,
  type RefundCompletedEvent,
  type RefundEvent,
  type RefundFailedEvent,
  type WebhookEvent,
  type WebhookEventType,
} from './webhooks/event.ts';
export {
  makeTestRefundWebhook,
  type TestRefundResource,
} from './webhooks/make-test-refund-webhook.ts';
export {
  makeTestWebhook,
  type TestWebhook,
  type TestWebhookOptions,
  type TestWebhookResource,
} from './webhooks/make-test-webhook.ts';
export {
  type IncomingWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookFault,
  WebhookVerificationError,
} from './webhooks/verify-webhook.ts';
