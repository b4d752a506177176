const ANSWER = Symbol.for('@payment-requests/sdk/answer');
export function answerOf(result) {
    return result[ANSWER];
}
export function entityTagOf(paymentRequest) {
    return answerOf(paymentRequest)?.entityTag;
}
export function noteAnswer(result, answer) {
    const { status, headers, attempts } = answer;
    const value = {
        status,
        requestId: headers.get('x-request-id') ?? undefined,
        entityTag: headers.get('etag') ?? undefined,
        isReplayed: headers.get('idempotency-replayed') === 'true',
        attempts,
    };
    return Object.defineProperty(result, ANSWER, { value });
}
