"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAccessTokens = createAccessTokens;
const access_token_error_ts_1 = require("../errors/access-token-error.js");
const credential_environment_ts_1 = require("../errors/credential-environment.js");
const signature_ts_1 = require("../webhooks/signature.js");
const send_call_ts_1 = require("./send-call.js");
const RENEWAL_SHARE = 0.9;
const UNUSED_SHARE = 0.01;
function createAccessTokens(options) {
    const { clock } = options.transport;
    let current;
    let renewal;
    function renew() {
        renewal ??= requestToken(options).then((token) => {
            renewal = undefined;
            current = token;
            return token;
        }, (error) => {
            renewal = undefined;
            throw error;
        });
        return renewal;
    }
    return {
        async get(signal) {
            const now = clock.now();
            if (current && now < current.renewAt)
                return current.text;
            const fresh = renew();
            if (current && now < current.endsAt) {
                fresh.catch(() => { });
                return current.text;
            }
            return (await rejectOnAbort(fresh, signal)).text;
        },
        forget(token) {
            if (current?.text === token)
                current = undefined;
        },
    };
}
async function requestToken({ transport, authUrl, username, password, }) {
    const requestedAt = transport.clock.now();
    const answer = await (0, send_call_ts_1.sendCall)(transport, {
        method: 'POST',
        url: authUrl,
        headers: {
            authorization: (0, signature_ts_1.basicCredentials)(username, password),
            'content-type': 'application/x-www-form-urlencoded',
            accept: 'application/json',
        },
        body: 'grant_type=client_credentials&scope=payment_request%2Fall',
        repeatable: true,
    });
    const { error, error_description: description } = (answer.body ?? {});
    if (typeof error === 'string') {
        throw new access_token_error_ts_1.AccessTokenError({
            code: error,
            status: answer.status,
            description: typeof description === 'string' ? description : undefined,
            requestId: answer.headers.get('x-request-id') ?? undefined,
            credentialEnvironment: (0, credential_environment_ts_1.environmentOf)(username),
        });
    }
    const { access_token: text, expires_in: seconds } = (0, send_call_ts_1.membersOf)(answer);
    const lifetimeMs = Number(seconds) * 1000;
    if (typeof text !== 'string' || !(lifetimeMs > 0)) {
        throw new access_token_error_ts_1.AccessTokenError({ code: 'invalid_answer', status: answer.status });
    }
    return {
        text,
        renewAt: requestedAt + lifetimeMs * RENEWAL_SHARE,
        endsAt: requestedAt + lifetimeMs * (1 - UNUSED_SHARE),
    };
}
function rejectOnAbort(promise, signal) {
    if (!signal)
        return promise;
    return new Promise((resolve, reject) => {
        const end = () => reject(signal.reason);
        if (signal.aborted)
            end();
        signal.addEventListener('abort', end, { once: true });
        promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    });
}
