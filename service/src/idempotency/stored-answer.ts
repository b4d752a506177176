/** An answer as it can be kept and given again, byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  /** In lower case: those that belong to the answer, not to the exchange (its request id, say). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
