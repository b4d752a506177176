interface Documented {
  readonly description: string;
  readonly schema: object;
}

/**
 * Headers that calls may send (contract §4), as the OpenAPI document tells them. Without examples:
 * a page that tries calls would send every one of them, the same Idempotency-Key with each call.
 */
export const CALL_HEADERS = {
  'X-Request-Id': {
    description:
      'Your own id for this call, given back and kept in the log; otherwise one is made.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  'Idempotency-Key': {
    description:
      'Makes the call safe to send again: within 72 hours the same key with the same call gets ' +
      'the first answer again. A key of your choice, best a UUID, new for each new call.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  'If-None-Match': {
    description: 'The ETag that you know: 304 says that it is still the current one.',
    schema: { type: 'string' },
  },
  'If-Match': {
    description: 'The ETag that you have read: the call is refused when it has changed since.',
    schema: { type: 'string' },
  },
  Prefer: {
    description: 'With `handling=strict` unknown members are refused instead of ignored.',
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Documented>>;

export type CallHeader = keyof typeof CALL_HEADERS;

/** Headers of answers. */
export const ANSWER_HEADERS = {
  'X-Request-Id': {
    description: 'The id of this call: yours, or one that was made.',
    schema: { type: 'string' },
    example: '4f0c2a52-7d8e-4b1c-9a43-0d8f0f6c2b11',
  },
  ETag: {
    description: 'The version, for If-Match and If-None-Match.',
    schema: { type: 'string' },
    example: '"1"',
  },
  Location: {
    description: 'The address of what was created.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://api.example.com/v1/payment-requests/018f2c7e-95a4-7c3b-8d1e-3a4b5c6d7e8f',
  },
  'Idempotency-Replayed': {
    description: 'The answer of the first call with this Idempotency-Key, given again.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Payment-Requests-Warning': {
    description: 'A probable mistake of the call, in words. Only the sandbox sends it.',
    schema: { type: 'string' },
    example:
      'payer.name differs from depositSubmit only by case or spaces, so nothing is simulated. ' +
      'Write depositSubmit.',
  },
  'RateLimit-Policy': {
    description: 'The budget: calls (`q`) in so many seconds (`w`). Absent where there is none.',
    schema: { type: 'string' },
    example: '"writes";q=200;w=1',
  },
  RateLimit: {
    description: 'The remaining budget (`r`), and the seconds until it is full again (`t`).',
    schema: { type: 'string' },
    example: '"writes";r=199;t=1',
  },
  'Retry-After': {
    description: 'Seconds to wait before the call is sent again.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1',
  },
  'WWW-Authenticate': {
    description: 'The kind of credentials that the call needs, and the fault of the sent ones.',
    schema: { type: 'string' },
    example: 'Bearer realm="payment-requests"',
  },
  'Content-Disposition': {
    description: 'A name for the file.',
    schema: { type: 'string' },
    example: 'attachment; filename="payment-requests-20260301T120000Z.csv"',
  },
  'X-Replica-Lag': {
    description:
      'Sent where a replica of the database has answered: the answer shows every change up to so ' +
      'many seconds ago, and perhaps not those since.',
    schema: { type: 'string', pattern: '^[0-9]+\\.[0-9]$' },
    example: '0.4',
  },
} as const satisfies Readonly<Record<string, Documented & { readonly example: string }>>;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;
