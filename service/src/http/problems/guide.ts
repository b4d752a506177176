import type { FieldFaultCode, ProblemCode } from '#lib/problem.ts';

export interface ProblemGuide {
  /** What has happened, for a developer who meets it for the first time. */
  readonly meaning: string;
  /** What to do now. */
  readonly remedy: string;
  /** The headers that come with it and say more. */
  readonly headers?: readonly ProblemHeader[];
}

export type ProblemHeader = 'Allow' | 'Retry-After' | 'WWW-Authenticate';

const CHALLENGE = ['WWW-Authenticate'] as const;
const RETRY = ['Retry-After'] as const;

const READ_AGAIN = 'Read the payment request; its status and statusReason say what became of it.';

/** What each problem's page says (contract §7). Total: it does not compile with one missing. */
export const PROBLEM_GUIDES: Readonly<Record<ProblemCode, ProblemGuide>> = {
  MALFORMED_REQUEST: {
    meaning:
      'The bytes that arrived are not an HTTP request that can be read in one way only: its ' +
      'first line, a header or the length of its body is broken, or a header stands there twice.',
    remedy:
      'Send it with an HTTP library instead of writing the bytes yourself, and look at what a ' +
      'proxy in between adds. The detail says what was wrong.',
  },
  MALFORMED_JSON: {
    meaning:
      'The body is not JSON: it is cut off, not UTF-8, nested deeper than 8 levels, names a ' +
      'member twice, or has a member named __proto__.',
    remedy: 'Write the body with a JSON library, as UTF-8 without a byte order mark.',
  },
  VALIDATION_ERROR: {
    meaning:
      'One or more fields of the body, or parameters of the address, break a rule. All faults ' +
      'are told at once: each has its field, a JSON Pointer to it, a code and a sentence.',
    remedy:
      'Mend what the member errors lists and send the call again. Nothing was stored, and an ' +
      'Idempotency-Key that was sent is still unused.',
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
      'The API key is not known here, has ended, or was sent in more than one header. Keys of ' +
      'the sandbox (sbx_…) do not work in production (prd_…), nor the reverse.',
    remedy:
      'Compare the key with the one you were given for this environment. After a rotation the ' +
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
    remedy: 'Ask for a new access token. If the new one is refused too, ask the operator.',
    headers: CHALLENGE,
  },
  ACCESS_TOKEN_EXPIRED: {
    meaning: 'The access token is older than its hour.',
    remedy:
      'Ask for a new one and send the call again. Better still, ask for the next one some ' +
      'minutes before the hour is over.',
    headers: CHALLENGE,
  },
  CREDENTIAL_MISMATCH: {
    meaning: 'The API key and the access token are both good but belong to two merchants.',
    remedy: 'Send the two that you were given together.',
  },
  INSUFFICIENT_SCOPE: {
    meaning: 'The access token’s scope does not cover this call.',
    remedy:
      'Ask the token call for the scope that the call needs. Credentials may be narrower than ' +
      'payment_request/all; the operator can issue wider ones.',
    headers: CHALLENGE,
  },
  MERCHANT_MISMATCH: {
    meaning: 'The body’s merchant.id is not the merchant that the credentials belong to.',
    remedy: 'Leave merchant out, or send your own id.',
  },
  MERCHANT_SUSPENDED: {
    meaning:
      'This merchant is suspended: no calls are taken and open links cannot be paid. What was in ' +
      'progress still ends, and its webhooks are still sent.',
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
      'The request did not arrive whole: its head took more than 10 seconds, all of it more than ' +
      '30, or it ended too soon. Nothing was done.',
    remedy: 'Send it again. If it happens often, look at the network and the proxies in between.',
  },
  DUPLICATE_MERCHANT_TRANSACTION_ID: {
    meaning:
      'A payment request with this merchantTransactionId exists, and your account is set to take ' +
      'each one only once.',
    remedy:
      'Look the first one up by merchantTransactionId. To send a call again safely, use an ' +
      'Idempotency-Key.',
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
      'The payer has confirmed, and the network has not settled the payment yet. From here only ' +
      'the network decides.',
    remedy: 'Wait for the webhook, or read the payment request until its status changes.',
  },
  DUPLICATE_WEBHOOK_ENDPOINT: {
    meaning: 'Another of your webhook endpoints has this URL; each URL is sent an event once.',
    remedy: 'Change that endpoint instead; the list of your webhook endpoints names it.',
  },
  TOO_MANY_WEBHOOK_ENDPOINTS: {
    meaning: 'You have 20 webhook endpoints, and there can be no more.',
    remedy: 'Delete one that you do not need, or let one endpoint take several event types.',
  },
  WEBHOOK_ENDPOINT_PAUSED: {
    meaning: 'The endpoint is paused: what it is owed is held, and a test would be held as well.',
    remedy: 'Resume the endpoint, then send the call again.',
  },
  WEBHOOK_ENDPOINT_DELETED: {
    meaning: 'The delivery was for an endpoint that you deleted since; it has nowhere to go.',
    remedy: 'Register the endpoint again and replay the span of time to it.',
  },
  WEBHOOK_REPLAY_RUNNING: {
    meaning: 'An endpoint has one replay at a time, and one is still running.',
    remedy: 'Read that replay until it is COMPLETED, then start the next.',
  },
  SECRET_ROTATION_RUNNING: {
    meaning:
      'The endpoint’s signing secret was rotated, and the secret before it still signs. Your ' +
      'listener may still have that one. Another rotation would end it at once.',
    remedy:
      'If you lost the first answer, send that call again with its Idempotency-Key. Otherwise ' +
      'wait until previousSecretExpiryDateTime, or send "force": true and give your listener the ' +
      'new secret at once. Webhooks that it refuses meanwhile are sent again.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: 'A call with the same Idempotency-Key is being carried out at this moment.',
    remedy:
      'Send the same call again after the seconds that Retry-After names: it gets the first ' +
      'call’s answer.',
    headers: RETRY,
  },
  ERASED: {
    meaning: 'The payer’s data were erased from this event, so its body is not what it was.',
    remedy: 'Nothing: the event cannot be sent again. Read the payment request instead.',
  },
  VERSION_MISMATCH: {
    meaning:
      'The payment request has changed since you read it: its ETag is not the one in If-Match.',
    remedy: 'Read it again, decide again, and send the call with the new ETag.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than the call takes (64 KiB).',
    remedy: 'Send less: metadata and displayMessage are the fields that grow.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body’s Content-Type is not one that this call reads, or the body is compressed.',
    remedy: 'Send JSON as Content-Type: application/json, uncompressed.',
  },
  MISDIRECTED_REQUEST: {
    meaning:
      'The operators’ listener answers its own names and IP addresses alone, so that no web page ' +
      'reaches it through the browser of an operator (DNS rebinding).',
    remedy: 'Call it by IP address, by localhost, or by the name that OPS_HOST has.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'This Idempotency-Key was used within the last 72 hours for a call that differs.',
    remedy:
      'Use a new key for each new call, and exactly the same method, address and body when you ' +
      'send a call again.',
  },
  HEADERS_TOO_LARGE: {
    meaning: 'The address and the headers together are larger than 16 KiB.',
    remedy: 'Send fewer and shorter headers; often a cookie or a proxy’s header has grown.',
  },
  RATE_LIMITED: {
    meaning: 'Your budget of calls for this moment is used up.',
    remedy:
      'Wait the seconds that Retry-After names, then go on more slowly; the RateLimit headers ' +
      'say what is left. Prefer webhooks, or reads with waitSeconds, to frequent reads.',
    headers: RETRY,
  },
  INTERNAL_ERROR: {
    meaning: 'Something went wrong inside the service. It is in its log under the requestId.',
    remedy:
      'Send the call again with the same Idempotency-Key. If it stays, tell the operator the ' +
      'requestId.',
  },
  TRANSFER_CODING_NOT_IMPLEMENTED: {
    meaning: 'The Transfer-Encoding header names another coding than chunked.',
    remedy: 'Send the body as it is, with a Content-Length or in chunks.',
  },
  HTTP_VERSION_NOT_SUPPORTED: {
    meaning: 'The first line of the request has no version of HTTP, or another than 1.0 and 1.1.',
    remedy: 'Send HTTP/1.1. A proxy in front of the service may speak later versions.',
  },
  TEMPORARILY_UNAVAILABLE: {
    meaning:
      'The service runs, but something that it needs is away, usually for seconds. A call that ' +
      'changes something may have been done all the same: the detail then says so.',
    remedy:
      'Send the call again after the seconds that Retry-After names, a create with the same ' +
      'Idempotency-Key: it is done once. Without a key, first look for the payment request by ' +
      'its merchantTransactionId.',
    headers: RETRY,
  },
};

/** What each field code of a VALIDATION_ERROR means (contract §7). */
export const FIELD_FAULT_MEANINGS: Readonly<Record<FieldFaultCode, string>> = {
  REQUIRED: 'The field is missing, null or empty.',
  REQUIRED_ONE_OF: 'One of several fields is needed, and none is there.',
  INVALID_TYPE: 'The value has another JSON type.',
  INVALID_FORMAT: 'The value is not written as the field asks.',
  INVALID_VALUE: 'The value is well written but not one that is taken.',
  TOO_SHORT: 'The value has too few characters or members.',
  TOO_LONG: 'The value has too many characters or members.',
  TOO_LOW: 'The value lies below the lowest that is taken.',
  TOO_HIGH: 'The value lies above the highest that is taken.',
  TOO_MANY_DECIMALS: 'The amount has more than two decimals.',
  IMMUTABLE_FIELD: 'The field cannot be changed.',
  UNKNOWN_FIELD: 'The call has no such field or parameter.',
};
