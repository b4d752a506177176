/** How long an access token lives: one hour (interface specification, Limits). */
export const ACCESS_TOKEN_LIFETIME_SECONDS = 3_600;
