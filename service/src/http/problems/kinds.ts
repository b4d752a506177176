import type { ProblemCode } from '#lib/problem.ts';

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** The sentence for a refusal without a more specific sentence. */
  readonly detail: string;
}

/** Every code's status and words (contract §7). A missing code does not compile. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  MALFORMED_REQUEST: {
    status: 400,
    title: 'Malformed request',
    detail: 'The request is not well-formed HTTP.',
  },
  MALFORMED_JSON: {
    status: 400,
    title: 'Malformed JSON',
    detail: 'The body is not valid JSON.',
  },
  VALIDATION_ERROR: {
    status: 400,
    title: 'Invalid request',
    detail: 'The request is invalid.',
  },
  API_KEY_MISSING: {
    status: 401,
    title: 'API key missing',
    detail: 'Send your API key in exactly one x-api-key header.',
  },
  API_KEY_INVALID: {
    status: 401,
    title: 'API key invalid',
    detail: 'The API key is not known in this environment.',
  },
  ACCESS_TOKEN_MISSING: {
    status: 401,
    title: 'Access token missing',
    detail: 'Send an access token in one header: Authorization: Bearer <ACCESS_TOKEN>.',
  },
  ACCESS_TOKEN_INVALID: {
    status: 401,
    title: 'Access token invalid',
    detail: 'The access token is not valid in this environment.',
  },
  ACCESS_TOKEN_EXPIRED: {
    status: 401,
    title: 'Access token expired',
    detail: 'The access token has expired; ask for a new token.',
  },
  CREDENTIAL_MISMATCH: {
    status: 403,
    title: 'Credentials do not match',
    detail: 'The API key and the access token belong to two merchants.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    title: 'Insufficient scope',
    detail: 'The access token’s scope does not allow this call.',
  },
  MERCHANT_MISMATCH: {
    status: 403,
    title: 'Another merchant',
    detail: 'merchant.id names another merchant than the credentials do.',
  },
  MERCHANT_SUSPENDED: {
    status: 403,
    title: 'Merchant suspended',
    detail: 'This merchant is suspended; ask the operator.',
  },
  REFUNDS_DISABLED: {
    status: 403,
    title: 'Refunds are off',
    detail: 'Refunds are switched off for this merchant; ask the operator.',
  },
  PAYMENT_REQUEST_NOT_FOUND: {
    status: 404,
    title: 'Payment request not found',
    detail: 'There is no payment request with this id.',
  },
  REFUND_NOT_FOUND: {
    status: 404,
    title: 'Refund not found',
    detail: 'There is no refund with this id.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    status: 404,
    title: 'Webhook endpoint not found',
    detail: 'There is no webhook endpoint with this id.',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    status: 404,
    title: 'Webhook delivery not found',
    detail: 'There is no webhook delivery with this id.',
  },
  WEBHOOK_REPLAY_NOT_FOUND: {
    status: 404,
    title: 'Webhook replay not found',
    detail: 'There is no replay with this id for this webhook endpoint.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    title: 'Not found',
    detail: 'There is nothing at this address.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This address does not take this method; the Allow header says which it does.',
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: 'Not acceptable',
    detail: 'The answer cannot be given in a media type that the Accept header allows.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timed out',
    detail: 'The request did not arrive in time.',
  },
  DUPLICATE_MERCHANT_TRANSACTION_ID: {
    status: 409,
    title: 'Duplicate merchantTransactionId',
    detail: 'A payment request with this merchantTransactionId exists already.',
  },
  NO_CREDITOR_ACCOUNT: {
    status: 409,
    title: 'No creditor account',
    detail: 'The merchant has no account to which payers could transfer the money.',
  },
  ALREADY_PAID: {
    status: 409,
    title: 'Already paid',
    detail: 'The payment request has been paid.',
  },
  ALREADY_EXPIRED: {
    status: 409,
    title: 'Already expired',
    detail: 'The payment request has expired.',
  },
  ALREADY_FAILED: {
    status: 409,
    title: 'Already failed',
    detail: 'The payment request has failed.',
  },
  ALREADY_CANCELLED: {
    status: 409,
    title: 'Already cancelled',
    detail: 'The payment request has been cancelled.',
  },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    title: 'Payment in progress',
    detail: 'The payer has confirmed; the network has not settled the payment yet.',
  },
  NOT_PAID: {
    status: 409,
    title: 'Not paid',
    detail: 'The payment request has not been paid, so there is nothing to refund.',
  },
  REFUNDS_NOT_SUPPORTED: {
    status: 409,
    title: 'Refunds not supported',
    detail: 'The e-transfer network of this service cannot give money back.',
  },
  DUPLICATE_MERCHANT_REFUND_ID: {
    status: 409,
    title: 'Duplicate merchantRefundId',
    detail: 'Another refund was created with this merchantRefundId.',
  },
  REFUND_LIMIT_REACHED: {
    status: 409,
    title: 'Limit of refunds reached',
    detail: 'The refund is above what is left of this merchant’s limit for the day.',
  },
  DUPLICATE_WEBHOOK_ENDPOINT: {
    status: 409,
    title: 'Webhook endpoint exists',
    detail: 'A webhook endpoint with this URL exists already.',
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    status: 409,
    title: 'Too many webhook endpoints',
    detail: 'There are 20 webhook endpoints already; delete one first.',
  },
  WEBHOOK_ENDPOINT_PAUSED: {
    status: 409,
    title: 'Webhook endpoint paused',
    detail: 'The webhook endpoint is paused; resume it first.',
  },
  WEBHOOK_ENDPOINT_DELETED: {
    status: 409,
    title: 'Webhook endpoint deleted',
    detail: 'The webhook endpoint of this delivery was deleted.',
  },
  WEBHOOK_REPLAY_RUNNING: {
    status: 409,
    title: 'Replay running',
    detail: 'A replay to this webhook endpoint is still running.',
  },
  SECRET_ROTATION_RUNNING: {
    status: 409,
    title: 'Secret rotation running',
    detail: 'The previous signing secret still signs; a rotation now would end that secret.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'Still in progress',
    detail: 'The first call with this Idempotency-Key is still running; send this call again.',
  },
  ERASED: {
    status: 410,
    title: 'Erased',
    detail: 'The payer of this event was erased; the event cannot be sent again.',
  },
  VERSION_MISMATCH: {
    status: 412,
    title: 'Version mismatch',
    detail: 'The payment request has another version than the If-Match header names.',
  },
  REFUND_AMOUNT_MISMATCH: {
    status: 412,
    title: 'Another amount is available',
    detail: 'The amount available differs from expectedAmountAvailable.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Payload too large',
    detail: 'The body is larger than 64 KiB.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send the body as application/json.',
  },
  MISDIRECTED_REQUEST: {
    status: 421,
    title: 'Misdirected request',
    detail: 'The Host header names another server.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency-Key used before',
    detail: 'This Idempotency-Key belongs to another call; use a new key for a new call.',
  },
  REFUND_AMOUNT_EXCEEDED: {
    status: 422,
    title: 'Refund exceeds the amount available',
    detail: 'The refund is above the amount that is available of the payment.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    detail: 'The budget of calls is used up; the Retry-After header says when to continue.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Headers too large',
    detail: 'The request’s headers are too large.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Internal error',
    detail: 'The service failed. Quote the requestId when you ask the operator about the call.',
  },
  TRANSFER_CODING_NOT_IMPLEMENTED: {
    status: 501,
    title: 'Transfer coding not implemented',
    detail: 'Send the body with a Content-Length or with Transfer-Encoding: chunked.',
  },
  HTTP_VERSION_NOT_SUPPORTED: {
    status: 505,
    title: 'HTTP version not supported',
    detail: 'Send the request as HTTP/1.1 or HTTP/1.0.',
  },
  TEMPORARILY_UNAVAILABLE: {
    status: 503,
    title: 'Temporarily unavailable',
    detail: 'The service cannot do this now. Nothing was lost; try again.',
  },
};
