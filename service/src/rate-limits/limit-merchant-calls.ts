import type { onRequestAsyncHookHandler } from 'fastify';
import type { MerchantBudget } from './merchant-budget.ts';
import { spendBudget } from './spend-budget.ts';

export interface CallBudgets {
  readonly reads: MerchantBudget;
  readonly writes: MerchantBudget;
}

/** The methods that change nothing (RFC 9110 §9.2.1) and have the larger budget. */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * The check of a merchant's call, and then its budget (contract §7): who is not let in costs no
 * merchant anything, and nothing of the body is read for a call that is one too many.
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
