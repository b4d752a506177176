/** The options of every call. */
export interface CallOptions {
    /** Abandons the call. The service may still have done the work. */
    readonly signal?: AbortSignal | undefined;
    /** The limit of one attempt of this call in milliseconds; default: that of the client. */
    readonly timeoutMs?: number | undefined;
    /** The limit of retries of this call, 0 to 10; default: `maxRetries` of the client. */
    readonly retries?: number | undefined;
}
/** The options of a call that sends fields. */
export interface WriteOptions extends CallOptions {
    /**
     * Makes the service refuse unknown fields instead of ignoring them (`Prefer: handling=strict`).
     * The default is true with credentials of the sandbox (`sbx_…`), so that a misspelt field fails
     * in your tests; it is false in production.
     */
    readonly strict?: boolean | undefined;
}
export interface RepeatableCallOptions extends WriteOptions {
    /**
     * 1 to 255 visible ASCII characters. The service does a repeated call with an equal key once in
     * 72 hours. The default is a random key, which covers the client's own retries. Give a key that
     * you store, such as the order's number, to cover a restart of your process too.
     */
    readonly idempotencyKey?: string | undefined;
}
export interface ReadOptions extends CallOptions {
    /** 1 to 30. The service answers at the next change, or after this number of seconds. */
    readonly waitSeconds?: number | undefined;
    /** An entity tag of `entityTagOf`. The answer is null while this version is the latest. */
    readonly ifNoneMatch?: string | undefined;
}
export interface ListOptions extends CallOptions {
    /** Entries in each page that the client fetches: 1 to 100. */
    readonly pageSize?: number | undefined;
    /** The `nextCursor` of an earlier page with equal filters: the list continues there. */
    readonly cursor?: string | undefined;
}
export interface UpdateOptions extends WriteOptions {
    /** An entity tag of `entityTagOf`. The service changes only this version. */
    readonly ifMatch?: string | undefined;
}
