export { type Amount, amountToCents, centsToAmount } from './amounts.ts';
export type {
  CallOptions,
  CreateOptions,
  ListOptions,
  ReadOptions,
  RepeatableCallOptions,
  UpdateOptions,
} from './call-options.ts';
export type { Client } from './client.ts';
export type { Clock } from './clock.ts';
export { type ClientOptions, createClient } from './create-client.ts';
export { entityTagOf } from './entity-tags.ts';
export {
  AccessTokenError,
  type FieldFault,
  NoAnswerError,
  PaymentRequestsError,
  ProblemError,
} from './errors.ts';
export {
  type Cancellation,
  type NewPaymentRequest,
  type OneOf,
  type Payer,
  type PaymentRequest,
  type PaymentRequestChanges,
  type PaymentRequestFilters,
  type PaymentRequestStatus,
  type Simulation,
  STATUS_REASON_CODES,
  type StatusReasonCode,
  type TimelineEntry,
} from './payment-request.ts';
export type { ListenerCredentials, WebhookEvent } from './webhooks/event.ts';
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
