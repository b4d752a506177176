import { Problem, type ProblemCode } from '#lib/problem.ts';
import type { Status } from './statuses.ts';

/** What a call is told that needs an open payment request and finds another (contract §4). */
const CODES: Readonly<Record<Exclude<Status, 'CREATED'>, ProblemCode>> = {
  PROCESSING: 'PAYMENT_IN_PROGRESS',
  PAID: 'ALREADY_PAID',
  FAILED: 'ALREADY_FAILED',
  EXPIRED: 'ALREADY_EXPIRED',
  CANCELLED: 'ALREADY_CANCELLED',
};

/** The problem that says why nothing can be changed in this status. */
export function refusalOfStatus(status: Exclude<Status, 'CREATED'>): Problem {
  return new Problem(CODES[status]);
}
