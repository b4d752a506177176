import type { Context, Payments } from './payments.ts';
import type { Refunds } from './refunds.ts';

export interface Parts extends Context {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly apiKey: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
  /** The parts of the path that are ids. */
  readonly id: string;
}

export interface Answered {
  readonly status: number;
  readonly body: object;
  readonly version?: number;
}
