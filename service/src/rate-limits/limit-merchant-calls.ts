import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { MerchantBudget } from './merchant-budget.ts';
import { spendBudget } from './spend-budget.ts';

export interface CallBudgets {
  readonly reads: MerchantBudget;
  readonly writes: MerchantBudget;
}

/** The methods that change nothing (RFC 9110 §9.2.1); they have the larger budget. */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Runs the check of a merchant's call, and then its budget (contract §7). A refused caller costs no
 * merchant any budget, and a call beyond the budget is refused before its body is read.
 *
 * @param check sets `request.merchant`, or refuses
 */
export function limitMerchantCalls(
  check: onRequestHookHandler,
  { reads, writes }: CallBudgets,
): onRequestHookHandler {
  function spend(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const budget = READING_METHODS.has(request.method) ? reads : writes;
    return spendBudget(reply, budget, request.merchant.id);
  }

  return function checkAndLimit(request, reply, done) {
    check.call(this, request, reply, (error) => {
      if (error) return done(error);
      let pending: Promise<void> | undefined;
      try {
        pending = spend(request, reply);
      } catch (refusal) {
        return done(refusal as Error);
      }
      if (pending) pending.then(() => done(), done);
      else done();
    });
  };
}
