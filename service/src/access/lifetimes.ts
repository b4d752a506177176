/** An access token lives one hour (interface §7). */
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3_600;

/**
 * A process uses cached credentials, merchants and signing keys for at most this long. Revocations,
 * suspensions and removed keys must take effect within 5 s (contract §3).
 */
export const ACCESS_STATE_LIFETIME_MS = 2_000;
