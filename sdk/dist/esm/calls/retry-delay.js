const LASTING = new Set([501, 505]);
const NOT_DONE = 429;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
const LONGEST_RETRY_AFTER_SECONDS = 30;
export function retryDelayMs(attempt, { failed, repeatable, random }) {
    if (!isTransient(attempt))
        return null;
    if (!repeatable && attempt.status !== NOT_DONE)
        return null;
    const { retryAfterSeconds = 0 } = attempt;
    if (retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS)
        return null;
    const ceilingMs = Math.min(FIRST_DELAY_MS * 2 ** (failed - 1), LONGEST_DELAY_MS);
    const jitterMs = ceilingMs * (0.5 + random / 2);
    return retryAfterSeconds > 0 ? retryAfterSeconds * 1000 + jitterMs : jitterMs;
}
function isTransient({ status, code }) {
    if (status === null || code === 'IDEMPOTENCY_IN_PROGRESS')
        return true;
    return status === NOT_DONE || (status >= 500 && !LASTING.has(status));
}
export function readRetryAfter(value, now) {
    if (value === null)
        return undefined;
    if (/^\d{1,9}$/.test(value.trim()))
        return Number(value);
    const at = Date.parse(value);
    return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
