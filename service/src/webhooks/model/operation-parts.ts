/** The members that every documented call about webhooks has. */
export const WEBHOOK_CALL = { tags: ['Webhooks'], scopes: ['webhook/manage'] } as const;
