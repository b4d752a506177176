/** The call's answer behind a result: for logs, and for a question to the operator. */
export interface CallAnswer {
  readonly status: number;
  /** The X-Request-Id, which identifies the call in the service's log. */
  readonly requestId: string | undefined;
  /** The ETag: the version of the result, for `ifMatch` and `ifNoneMatch`. */
  readonly entityTag: string | undefined;
  /** True when the service repeated the stored answer of an earlier call with an equal key. */
  readonly isReplayed: boolean;
  /** The number of attempts; above 1 after retries. */
  readonly attempts: number;
}

/** The property of a result that only `answerOf` of either build reads: copies do not have it. */
const ANSWER = Symbol.for('@payment-requests/sdk/answer');

/**
 * Gives the answer behind a result of the client: a resource, a page or a CSV export. Entries of a
 * list and copies of a result have none.
 *
 * @example
 * const paymentRequest = await client.getPaymentRequest(paymentRequestId);
 * console.log(answerOf(paymentRequest)?.requestId, answerOf(paymentRequest)?.attempts);
 */
export function answerOf(result: object): CallAnswer | undefined {
  return (result as { readonly [ANSWER]?: CallAnswer })[ANSWER];
}

/**
 * Gives the version of a payment request that the client returned, for `ifMatch` and `ifNoneMatch`.
 * Store the entity tag beside the payment request: a copy of the object has no entity tag.
 *
 * @example
 * const before = await client.getPaymentRequest(paymentRequestId);
 * const ifNoneMatch = entityTagOf(before) ?? '';
 * const after = await client.getPaymentRequest(paymentRequestId, { waitSeconds: 1, ifNoneMatch });
 * console.log(after === null ? 'nothing happened' : after.status);
 */
export function entityTagOf(paymentRequest: object): string | undefined {
  return answerOf(paymentRequest)?.entityTag;
}

interface AnswerParts {
  readonly status: number;
  readonly headers: Headers;
  readonly attempts: number;
}

/** Remembers the answer behind a result. */
export function noteAnswer<Result extends object>(result: Result, answer: AnswerParts): Result {
  const { status, headers, attempts } = answer;
  const value: CallAnswer = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    entityTag: headers.get('etag') ?? undefined,
    isReplayed: headers.get('idempotency-replayed') === 'true',
    attempts,
  };
  // Not enumerable: a result stays plain and comparable.
  return Object.defineProperty(result, ANSWER, { value });
}
