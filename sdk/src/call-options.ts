/** What every call takes. */
export interface CallOptions {
  /** Gives the call up. What it asked for may have been done all the same. */
  readonly signal?: AbortSignal;
}

export interface RepeatableCallOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters: the same call with the same key is done once in 72 hours.
   * Left out, one is made for this call, which covers the client's own attempts. Give one that you
   * keep, such as the order's number, to cover a restart of your process too.
   */
  readonly idempotencyKey?: string;
}

export interface CreateOptions extends RepeatableCallOptions {
  /** Fields that the service does not know are refused instead of ignored. */
  readonly strict?: boolean;
}

export interface ReadOptions extends CallOptions {
  /** 1 to 30: answer when the payment request changes, or after so many seconds. */
  readonly waitSeconds?: number;
  /** An entity tag: if it is still that version, the answer is null. See `entityTagOf`. */
  readonly ifNoneMatch?: string;
}

export interface ListOptions extends CallOptions {
  /** How many come with each call over the network: 1 to 100. */
  readonly pageSize?: number;
}

export interface UpdateOptions extends CallOptions {
  /** An entity tag: changed only if it is still that version. See `entityTagOf`. */
  readonly ifMatch?: string;
}
