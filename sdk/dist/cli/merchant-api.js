"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createMerchantApi = createMerchantApi;
exports.describeProblem = describeProblem;
const signature_ts_1 = require("../webhooks/signature.js");
const align_columns_ts_1 = require("./align-columns.js");
const tool_ts_1 = require("./tool.js");
const CALL_TIMEOUT_MS = 45_000;
function createMerchantApi(access, signal) {
    let token = null;
    async function ask(method, path, body) {
        token ??= await buyToken(access, signal);
        return send(`${access.apiUrl}${path}`, {
            method,
            headers: {
                'x-api-key': access.apiKey,
                authorization: `Bearer ${token}`,
                ...(body && { 'content-type': 'application/json' }),
            },
            ...(body && { body: JSON.stringify(body) }),
            signal: endingWith(signal),
        });
    }
    return {
        async call(method, path, body) {
            const answer = await ask(method, path, body);
            if (answer.status !== 401 || !/^ACCESS_TOKEN_/.test(answer.json?.code))
                return answer;
            token = null;
            return ask(method, path, body);
        },
    };
}
async function buyToken(access, signal) {
    const { status, json } = await send(access.authUrl, {
        method: 'POST',
        headers: { authorization: (0, signature_ts_1.basicCredentials)(access.username, access.password) },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
        signal: endingWith(signal),
    });
    if (status === 200 && typeof json?.access_token === 'string')
        return json.access_token;
    if (status === 401)
        throw new tool_ts_1.ToolFault('The token call refuses these credentials.');
    throw new Error(`The token call answered ${status}.`);
}
async function send(url, init) {
    const response = await fetch(url, { ...init, redirect: 'error' });
    const text = await response.text();
    try {
        return { status: response.status, text, json: text === '' ? undefined : JSON.parse(text) };
    }
    catch {
        throw new Error(`${url} answered ${response.status} and no JSON.`);
    }
}
function endingWith(signal) {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    return signal ? AbortSignal.any([signal, timeout]) : timeout;
}
function describeProblem({ status, json }) {
    const faults = (json?.errors ?? []).map((each) => each.message).join(' ');
    const text = `${status} ${json?.code ?? ''} ${json?.detail ?? json?.title ?? ''} ${faults}`;
    return (0, align_columns_ts_1.withoutControls)(text.replaceAll(/\s+/g, ' ').trim());
}
