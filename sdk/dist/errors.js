"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.InvalidArgumentError = exports.NoAnswerError = exports.AccessTokenError = exports.ProblemError = exports.PaymentRequestsError = void 0;
exports.environmentOf = environmentOf;
class PaymentRequestsError extends Error {
    code;
    requestId;
    constructor(code, message, { requestId, cause, } = {}) {
        super(message, cause === undefined ? undefined : { cause });
        this.name = 'PaymentRequestsError';
        this.code = code;
        this.requestId = requestId;
    }
}
exports.PaymentRequestsError = PaymentRequestsError;
class ProblemError extends PaymentRequestsError {
    status;
    title;
    type;
    errors;
    retryAfterSeconds;
    constructor(problem) {
        super(problem.code, sentence(problem), problem);
        this.name = 'ProblemError';
        this.status = problem.status;
        this.title = problem.title;
        this.type = problem.type;
        this.errors = problem.errors;
        this.retryAfterSeconds = problem.retryAfterSeconds;
    }
}
exports.ProblemError = ProblemError;
const NAMED_ENVIRONMENT = /\b(sandbox|production) environment\b/;
class AccessTokenError extends PaymentRequestsError {
    status;
    credentialEnvironment;
    serviceEnvironment;
    constructor(refusal) {
        const [, named] = NAMED_ENVIRONMENT.exec(refusal.description ?? '') ?? [];
        const serviceEnvironment = named;
        super(refusal.code, refusalSentence(refusal, serviceEnvironment), refusal);
        this.name = 'AccessTokenError';
        this.status = refusal.status;
        this.credentialEnvironment = refusal.credentialEnvironment;
        this.serviceEnvironment = serviceEnvironment;
    }
}
exports.AccessTokenError = AccessTokenError;
class NoAnswerError extends PaymentRequestsError {
    constructor(code, message, cause) {
        super(code, message, { cause });
        this.name = 'NoAnswerError';
    }
}
exports.NoAnswerError = NoAnswerError;
class InvalidArgumentError extends PaymentRequestsError {
    constructor(message, code = 'INVALID_ARGUMENT') {
        super(code, message);
        this.name = 'InvalidArgumentError';
    }
}
exports.InvalidArgumentError = InvalidArgumentError;
const PREFIXES = { sbx_: 'sandbox', prd_: 'production' };
const CELL_MARK = /^c\d{1,3}-/;
function environmentOf(credential) {
    const prefix = credential.replace(CELL_MARK, '').slice(0, 4);
    return PREFIXES[prefix];
}
function refusalSentence({ code, status, description, credentialEnvironment: own }, service) {
    const parts = [`The token call was refused with ${status} ${code}.`];
    if (description !== undefined)
        parts.push(description);
    if (own !== undefined && own !== service && code === 'invalid_client') {
        const prefix = own === 'sandbox' ? 'sbx_' : 'prd_';
        const owner = `The username begins with ${prefix}: it is a credential of ${own}`;
        parts.push(service === undefined
            ? `${owner}. Check that authUrl is the URL of ${own}.`
            : `${owner}, and this service is ${service}.`);
    }
    return parts.join(' ');
}
function sentence({ code, detail, errors }) {
    const faults = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message));
    return [`${code}: ${detail}`, ...faults].join(' ');
}
