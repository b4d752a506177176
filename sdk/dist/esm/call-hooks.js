const SECRET_HEADERS = new Set(['authorization', 'x-api-key']);
export function redactHeaders(headers) {
    const entries = Object.entries(headers);
    return Object.fromEntries(entries.map(([name, value]) => [name, SECRET_HEADERS.has(name) ? '[redacted]' : value]));
}
export function callHook(hook, value) {
    if (!hook)
        return;
    try {
        Promise.resolve(hook(value)).catch(() => { });
    }
    catch {
    }
}
