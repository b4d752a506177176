"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.redactHeaders = redactHeaders;
exports.callHook = callHook;
const SECRET_HEADERS = new Set(['authorization', 'x-api-key']);
function redactHeaders(headers) {
    const entries = Object.entries(headers);
    return Object.fromEntries(entries.map(([name, value]) => [name, SECRET_HEADERS.has(name) ? '[redacted]' : value]));
}
function callHook(hook, value) {
    if (!hook)
        return;
    try {
        Promise.resolve(hook(value)).catch(() => { });
    }
    catch {
    }
}
