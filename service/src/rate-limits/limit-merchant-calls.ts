import type { onRequestAsyncHookHandler } from 'fastify';
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
 * @param check sets `request.merchant`, or throws
 */
export function limitMerchantCalls(
  check: onRequestAsyncHookHandler,
  { reads, writes }: CallBudgets,
): onRequestAsyncHookHandler {
  return async function checkAndLimit(request, reply) {
    await check.call(this, request, reply);
    const budget = READING_METHODS.has(request.method) ? reads : writes;
    await spendBudget(reply, budget, request.merchant.id);
  };
}
