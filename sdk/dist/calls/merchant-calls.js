"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createMerchantCalls = createMerchantCalls;
exports.limitsOf = limitsOf;
exports.resourceOf = resourceOf;
const answers_ts_1 = require("../answers.js");
const credential_environment_ts_1 = require("../errors/credential-environment.js");
const check_options_ts_1 = require("./check-options.js");
const send_call_ts_1 = require("./send-call.js");
function createMerchantCalls({ baseUrl, apiKey }, transport, tokens) {
    const base = baseUrl.replace(/\/+$/, '');
    const isStrictByDefault = (0, credential_environment_ts_1.environmentOf)(apiKey) === 'sandbox';
    async function call({ path, headers, repeatable = true, ...rest }) {
        (0, check_options_ts_1.checkCallOptions)(rest);
        const send = (token) => (0, send_call_ts_1.sendCall)(transport, {
            ...rest,
            repeatable,
            url: base + path,
            headers: {
                accept: 'application/json, application/problem+json',
                ...headers,
                'x-api-key': apiKey,
                authorization: `Bearer ${token}`,
            },
        });
        const token = await tokens.get(rest.signal);
        const answer = await send(token);
        const code = answer.body?.code;
        const isTokenRefused = code === 'ACCESS_TOKEN_EXPIRED' || code === 'ACCESS_TOKEN_INVALID';
        if (answer.status !== 401 || !isTokenRefused)
            return answer;
        tokens.forget(token);
        return send(await tokens.get(rest.signal));
    }
    function writeHeaders({ strict = isStrictByDefault }, contentType) {
        return { 'content-type': contentType, ...(strict && { prefer: 'handling=strict' }) };
    }
    return {
        transport,
        call,
        get: (path, options) => call({ method: 'GET', path, ...limitsOf(options) }),
        async post(path, body, options) {
            (0, check_options_ts_1.checkCallOptions)(options);
            const { idempotencyKey = crypto.randomUUID() } = options;
            const headers = {
                ...writeHeaders(options, 'application/json'),
                'idempotency-key': idempotencyKey,
            };
            return call({ method: 'POST', path, body, headers, ...limitsOf(options) });
        },
        patch(path, changes, options, { repeatable, headers }) {
            return call({
                method: 'PATCH',
                path,
                body: JSON.stringify(changes),
                headers: { ...writeHeaders(options, 'application/merge-patch+json'), ...headers },
                repeatable,
                ...limitsOf(options),
            });
        },
    };
}
function limitsOf({ signal, timeoutMs, retries }) {
    return { signal, timeoutMs, retries };
}
function resourceOf(answer) {
    return (0, answers_ts_1.noteAnswer)((0, send_call_ts_1.membersOf)(answer), answer);
}
