import { Problem } from '#lib/problem.ts';
import { type ClosedStatus, STATUS_FACTS } from './statuses.ts';

/** The problem of a call that needs an open payment request and finds another (contract §4). */
export function refusalOfStatus(status: ClosedStatus): Problem {
  return new Problem(STATUS_FACTS[status].refusal);
}
