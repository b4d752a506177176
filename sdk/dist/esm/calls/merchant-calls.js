import { noteAnswer } from '../answers.js';
import { environmentOf } from '../errors/credential-environment.js';
import { checkCallOptions } from './check-options.js';
import { membersOf, sendCall } from './send-call.js';
export function createMerchantCalls({ baseUrl, apiKey }, transport, tokens) {
    const base = baseUrl.replace(/\/+$/, '');
    const isStrictByDefault = environmentOf(apiKey) === 'sandbox';
    async function call({ path, headers, repeatable = true, ...rest }) {
        checkCallOptions(rest);
        const send = (token) => sendCall(transport, {
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
            checkCallOptions(options);
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
export function limitsOf({ signal, timeoutMs, retries }) {
    return { signal, timeoutMs, retries };
}
export function resourceOf(answer) {
    return noteAnswer(membersOf(answer), answer);
}
