/**
 * How long a process may go by what it remembers of credentials, merchants and signing keys: well
 * below the 5 s within which a revocation, a suspension and a removed key hold (contract §3).
 */
export const ACCESS_STATE_LIFETIME_MS = 2_000;
