import type { FieldFaultCode, ProblemCode } from '#lib/problem.ts';
import type { ProblemGuide } from './problem-guide.ts';
import { REFUND_GUIDES } from './refund-guides.ts';

const CHALLENGE = ['WWW-Authenticate'] as const;
const RETRY = ['Retry-After'] as const;

const READ_AGAIN = 'Read the payment request; its status and statusReason state the outcome.';

/** The text of each problem's page (contract §7). A missing text does not compile. */
export const PROBLEM_GUIDES: Readonly<Record<ProblemCode, ProblemGuide>> = {
  ...REFUND_GUIDES,
  MALFORMED_REQUEST: {
    meaning:
      'The bytes that arrived are not an HTTP request with exactly one meaning: the first line, ' +
      'a header or the length of the body is malformed, or a header is repeated.',
    remedy:
      'Send the request with an HTTP library instead of writing the bytes yourself, and check ' +
      'the headers that a proxy in between adds. The detail names the fault.',
  },
  MALFORMED_JSON: {
    meaning:
      'The body is not JSON: it is cut off, not UTF-8, nested deeper than 8 levels, names a ' +
      'member twice, or has a member named __proto__.',
    remedy: 'Write the body with a JSON library, as UTF-8 without a byte order mark.',
  },
  VALIDATION_ERROR: {
    meaning:
      'Fields of the body, or parameters of the address, break a rule. The answer lists all ' +
      'faults: each has its field, a JSON Pointer to the field, a code and a sentence.',
    remedy:
      'Correct the faults in the member errors and send the call again. Nothing was stored, and ' +
      'the Idempotency-Key of the call is still unused.',
  },
  API_KEY_MISSING: {
    meaning: 'The call has no x-api-key header.',
    remedy:
      'Send the API key that belongs to your credentials in the x-api-key header, beside the ' +
      'access token.',
    headers: CHALLENGE,
  },
  API_KEY_INVALID: {
    meaning:
      'The API key is unknown, has ended, or was sent in more than one header. Keys of ' +
      'the sandbox (sbx_…) do not work in production (prd_…), nor the reverse.',
    remedy:
      'Compare the key with the key that you got for this environment. After a rotation the ' +
      'old key works only for the overlap.',
    headers: CHALLENGE,
  },
  ACCESS_TOKEN_MISSING: {
    meaning: 'The call has no Authorization header with an access token.',
    remedy:
      'Ask the token call for an access token and send it as Authorization: Bearer <ACCESS_TOKEN>.',
    headers: CHALLENGE,
  },
  ACCESS_TOKEN_INVALID: {
    meaning:
      'The access token was not issued here, was changed, was sent in more than one header, or ' +
      'its credentials were revoked.',
    remedy: 'Ask for a new access token. If the new token is refused too, ask the operator.',
    headers: CHALLENGE,
  },
  ACCESS_TOKEN_EXPIRED: {
    meaning: 'The access token is older than its hour.',
    remedy:
      'Ask for a new token and send the call again. Better still, ask for the next token some ' +
      'minutes before the hour ends.',
    headers: CHALLENGE,
  },
  CREDENTIAL_MISMATCH: {
    meaning: 'The API key and the access token are both valid but belong to two merchants.',
    remedy: 'Send the API key and the access token of one merchant.',
  },
  INSUFFICIENT_SCOPE: {
    meaning: 'The access token’s scope does not cover this call.',
    remedy:
      'Ask the token call for the scope that the call needs. Credentials may be narrower than ' +
      'payment_request/all; the operator can issue wider credentials.',
    headers: CHALLENGE,
  },
  MERCHANT_MISMATCH: {
    meaning: 'The body’s merchant.id is not the merchant that the credentials belong to.',
    remedy: 'Leave merchant out, or send your own id.',
  },
  MERCHANT_SUSPENDED: {
    meaning:
      'This merchant is suspended: its calls are refused and open links cannot be paid. A ' +
      'payment in progress still ends, and its webhooks are still sent.',
    remedy: 'Ask the operator of this service.',
  },
  PAYMENT_REQUEST_NOT_FOUND: {
    meaning: 'You have no payment request with this id in this environment.',
    remedy: 'Use the id as the create call answered it, with the credentials that created it.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    meaning: 'None of your webhook endpoints has this id; it may have been deleted.',
    remedy: 'Compare the id with the list of your webhook endpoints.',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    meaning: 'None of your webhook deliveries has this id.',
    remedy: 'Compare the id with the list of your webhook deliveries.',
  },
  WEBHOOK_REPLAY_NOT_FOUND: {
    meaning: 'No replay with this id was started for this webhook endpoint.',
    remedy: 'Compare both ids with the answer of the call that started the replay.',
  },
  ROUTE_NOT_FOUND: {
    meaning: 'Nothing answers at this address.',
    remedy: 'Compare the address, with its version (/v1), with the API reference.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The address exists but does not take this method.',
    remedy: 'Use one of the methods that the Allow header lists.',
    headers: ['Allow'],
  },
  NOT_ACCEPTABLE: {
    meaning: 'The Accept header allows no media type that this address can answer in.',
    remedy: 'Leave the header out, or allow application/json.',
  },
  REQUEST_TIMEOUT: {
    meaning:
      'The request is incomplete: its head took more than 10 seconds, the whole request more ' +
      'than 30, or the request ended too soon. Nothing was done.',
    remedy:
      'Send the request again. If this repeats, check the network and the proxies in between.',
  },
  DUPLICATE_MERCHANT_TRANSACTION_ID: {
    meaning:
      'A payment request with this merchantTransactionId exists, and your account accepts each ' +
      'merchantTransactionId only once.',
    remedy:
      'Find the first payment request by merchantTransactionId. To repeat a call safely, use an ' +
      'Idempotency-Key.',
  },
  NO_CREDITOR_ACCOUNT: {
    meaning:
      'Payers transfer the money to your own account, and the operator has recorded no account ' +
      'for you, or your bank has closed it.',
    remedy: 'Ask the operator of the service to record your account, and create it again.',
  },
  ALREADY_PAID: {
    meaning: 'The payment request has been paid, which is final.',
    remedy: `Fulfil the order. ${READ_AGAIN}`,
  },
  ALREADY_EXPIRED: {
    meaning: 'The payment request’s expiryDateTime has passed.',
    remedy: 'Create a new payment request if the payer still wants to pay.',
  },
  ALREADY_FAILED: {
    meaning: 'The payment has failed: the payer declined, or the institution or network refused.',
    remedy: `${READ_AGAIN} Create a new payment request for another try.`,
  },
  ALREADY_CANCELLED: {
    meaning: 'The payment request has been cancelled and can no longer be changed.',
    remedy: 'Create a new payment request.',
  },
  PAYMENT_IN_PROGRESS: {
    meaning:
      'The payer has confirmed, and the network has not settled the payment yet. Now only the ' +
      'network decides.',
    remedy: 'Wait for the webhook, or read the payment request until its status changes.',
  },
  DUPLICATE_WEBHOOK_ENDPOINT: {
    meaning: 'Another of your webhook endpoints has this URL; each URL gets an event once.',
    remedy: 'Change that endpoint instead; the list of your webhook endpoints names it.',
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    meaning: 'You have 20 webhook endpoints, which is the limit.',
    remedy: 'Delete an unused endpoint, or let one endpoint receive several event types.',
  },
  WEBHOOK_ENDPOINT_PAUSED: {
    meaning: 'The endpoint is paused: its events are held, and a test would be held as well.',
    remedy: 'Resume the endpoint, then send the call again.',
  },
  WEBHOOK_ENDPOINT_DELETED: {
    meaning: 'The endpoint of this delivery has been deleted, so the delivery has no address.',
    remedy: 'Register the endpoint again and replay the span of time to the new endpoint.',
  },
  WEBHOOK_REPLAY_RUNNING: {
    meaning: 'An endpoint has one replay at a time, and another replay is still running.',
    remedy: 'Read that replay until it is COMPLETED, then start the next.',
  },
  SECRET_ROTATION_RUNNING: {
    meaning:
      'The endpoint’s signing secret was rotated, and the previous secret still signs. Your ' +
      'listener may still use the previous secret. Another rotation would end that secret now.',
    remedy:
      'If you lost the first answer, send that call again with its Idempotency-Key. Otherwise ' +
      'wait until previousSecretExpiryDateTime, or send "force": true and give your listener the ' +
      'new secret immediately. Webhooks that it refuses meanwhile are sent again.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: 'A call with the same Idempotency-Key is in progress.',
    remedy:
      'Send the same call again after the seconds that Retry-After names: it gets the first ' +
      'call’s answer.',
    headers: RETRY,
  },
  ERASED: {
    meaning: 'The payer’s data were erased from this event, so its body has changed.',
    remedy: 'The event cannot be sent again. Read the payment request instead.',
  },
  VERSION_MISMATCH: {
    meaning:
      'The payment request has changed since you read it: its ETag is not the one in If-Match.',
    remedy: 'Read the payment request again, decide again, and send the call with the new ETag.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than 64 KiB.',
    remedy: 'Send a smaller body: metadata and displayMessage are the fields that grow.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'This call does not read the body’s Content-Type, or the body is compressed.',
    remedy: 'Send JSON as Content-Type: application/json, uncompressed.',
  },
  MISDIRECTED_REQUEST: {
    meaning:
      'The operators’ listener answers its own names and IP addresses alone, so that no web page ' +
      'reaches it through the browser of an operator (DNS rebinding).',
    remedy: 'Call the listener by IP address, by localhost, or by the name in OPS_HOST.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'This Idempotency-Key was used within the last 72 hours for another call.',
    remedy:
      'Use a new key for each new call, and exactly the same method, address and body when you ' +
      'repeat a call.',
  },
  HEADERS_TOO_LARGE: {
    meaning: 'The address and the headers together are larger than 16 KiB.',
    remedy: 'Send fewer and shorter headers; often a cookie or a proxy’s header has grown.',
  },
  RATE_LIMITED: {
    meaning: 'Your budget of calls for this moment is used up.',
    remedy:
      'Wait the seconds that Retry-After names, then continue more slowly; the RateLimit headers ' +
      'state the remaining calls. Prefer webhooks, or reads with waitSeconds, to frequent reads.',
    headers: RETRY,
  },
  INTERNAL_ERROR: {
    meaning: 'The service failed. Its log has the fault under the requestId.',
    remedy:
      'Send the call again with the same Idempotency-Key. If it fails again, give the operator ' +
      'the requestId.',
  },
  TRANSFER_CODING_NOT_IMPLEMENTED: {
    meaning: 'The Transfer-Encoding header names another coding than chunked.',
    remedy: 'Send the body unencoded, with a Content-Length or in chunks.',
  },
  HTTP_VERSION_NOT_SUPPORTED: {
    meaning:
      'The first line of the request has no version of HTTP, or another version than 1.0 and 1.1.',
    remedy: 'Send HTTP/1.1. A proxy in front of the service may speak later versions.',
  },
  TEMPORARILY_UNAVAILABLE: {
    meaning:
      'The service runs, but a part that it needs is unavailable, usually for seconds. A call ' +
      'that writes may still have succeeded: the detail then says so.',
    remedy:
      'Send the call again after the seconds that Retry-After names. With the same ' +
      'Idempotency-Key a creation happens once. Without a key, first search for the payment ' +
      'request by its merchantTransactionId.',
    headers: RETRY,
  },
};

/** The meaning of each field code of a VALIDATION_ERROR (contract §7). */
export const FIELD_FAULT_MEANINGS: Readonly<Record<FieldFaultCode, string>> = {
  REQUIRED: 'The field is missing, null or empty.',
  REQUIRED_ONE_OF: 'At least one of several fields is required, and all are absent.',
  INVALID_TYPE: 'The value has another JSON type.',
  INVALID_FORMAT: 'The value does not have the format of the field.',
  INVALID_VALUE: 'The value has the right format but is not allowed.',
  TOO_SHORT: 'The value has too few characters or members.',
  TOO_LONG: 'The value has too many characters or members.',
  TOO_LOW: 'The value lies below the lowest allowed value.',
  TOO_HIGH: 'The value lies above the highest allowed value.',
  TOO_MANY_DECIMALS: 'The amount has more than two decimals.',
  IMMUTABLE_FIELD: 'The field cannot be changed.',
  UNKNOWN_FIELD: 'The call has no such field or parameter.',
};
