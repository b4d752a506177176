"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.answerOf = answerOf;
exports.entityTagOf = entityTagOf;
exports.noteAnswer = noteAnswer;
const answers = new WeakMap();
function answerOf(result) {
    return answers.get(result);
}
function entityTagOf(paymentRequest) {
    return answers.get(paymentRequest)?.entityTag;
}
function noteAnswer(result, answer) {
    const { status, headers, attempts } = answer;
    answers.set(result, {
        status,
        requestId: headers.get('x-request-id') ?? undefined,
        entityTag: headers.get('etag') ?? undefined,
        isReplayed: headers.get('idempotency-replayed') === 'true',
        attempts,
    });
    return result;
}
