/** How long an access token lives: one hour (interface §7). */
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3_600;
