/** The options of every call. */
export interface CallOptions {
  /** Abandons the call. The service may still have done the work. */
  readonly signal?: AbortSignal;
}

export interface RepeatableCallOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. The service does a repeated call with an equal key once in
   * 72 hours. The default is a random key, which covers the client's own retries. Give a key that
   * you store, such as the order's number, to cover a restart of your process too.
   */
  readonly idempotencyKey?: string;
}

export interface CreateOptions extends RepeatableCallOptions {
  /** Makes the service refuse unknown fields instead of ignoring them. */
  readonly strict?: boolean;
}

export interface ReadOptions extends CallOptions {
  /** 1 to 30. The service answers at the next change, or after this number of seconds. */
  readonly waitSeconds?: number;
  /** An entity tag of `entityTagOf`. The answer is null while this version is the latest. */
  readonly ifNoneMatch?: string;
}

export interface ListOptions extends CallOptions {
  /** Entries in each page that the client fetches: 1 to 100. */
  readonly pageSize?: number;
}

export interface UpdateOptions extends CallOptions {
  /** An entity tag of `entityTagOf`. The service changes only this version. */
  readonly ifMatch?: string;
}
