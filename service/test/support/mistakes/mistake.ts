/** A mistake of an integrator, and how the service explains it. */
export interface Mistake {
  /** `{id}`, `{code}` and `{ref}` stand for those of a PAID payment request; `{new}` for a new id. */
  readonly call: readonly [method: 'GET' | 'POST', path: string, body?: unknown];
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** The answer of the version before this table. */
  readonly before: string;
  /** The sentence that explains the mistake; a value for a call that is no mistake any more. */
  readonly after: RegExp;
}

export const REQUESTS = '/v1/payment-requests';
