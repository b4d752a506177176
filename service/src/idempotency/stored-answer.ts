/** An answer that can be stored and sent again, byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  /** In lower case: headers of the answer, not of the exchange (such as its request id). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
