"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.AccessTokenError = void 0;
const payment_requests_error_ts_1 = require("./payment-requests-error.js");
const NAMED_ENVIRONMENT = /\b(sandbox|production) environment\b/;
class AccessTokenError extends payment_requests_error_ts_1.PaymentRequestsError {
    static errorName = 'AccessTokenError';
    status;
    credentialEnvironment;
    serviceEnvironment;
    constructor(refusal) {
        const [, named] = NAMED_ENVIRONMENT.exec(refusal.description ?? '') ?? [];
        const serviceEnvironment = named;
        super(refusal.code, refusalSentence(refusal, serviceEnvironment), refusal);
        this.status = refusal.status;
        this.credentialEnvironment = refusal.credentialEnvironment;
        this.serviceEnvironment = serviceEnvironment;
    }
}
exports.AccessTokenError = AccessTokenError;
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
