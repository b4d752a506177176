"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.answerOf = answerOf;
exports.entityTagOf = entityTagOf;
exports.noteAnswer = noteAnswer;
const ANSWER = Symbol.for('@payment-requests/sdk/answer');
function answerOf(result) {
    return result[ANSWER];
}
function entityTagOf(paymentRequest) {
    return answerOf(paymentRequest)?.entityTag;
}
function noteAnswer(result, answer) {
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
