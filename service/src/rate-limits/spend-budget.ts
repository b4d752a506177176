import type { FastifyReply } from 'fastify';
import { Problem } from '#lib/problem.ts';
import type { MerchantBudget, Spent } from './merchant-budget.ts';

/**
 * Counts a call of an authenticated merchant and reports its budget in the `RateLimit` headers
 * (draft-ietf-httpapi-ratelimit-headers: `"writes";q=200;w=1` is the policy, `"writes";r=199;t=1`
 * the remaining budget).
 *
 * @returns undefined: the call is counted; otherwise the end of the statement that counts it
 * @throws Problem RATE_LIMITED with Retry-After (contract §7).
 */
export function spendBudget(
  reply: FastifyReply,
  budget: MerchantBudget,
  merchantId: string,
): Promise<void> | undefined {
  const spent = budget.spend(merchantId);
  if (spent instanceof Promise) return spent.then((found) => reportBudget(reply, found));
  reportBudget(reply, spent);
  return undefined;
}

function reportBudget(reply: FastifyReply, spent: Spent | null): void {
  if (!spent) return;
  const { kind, limit, remaining, resetSeconds } = spent;
  reply.headers({
    'ratelimit-policy': `"${kind}";q=${limit};w=1`,
    ratelimit: `"${kind}";r=${remaining};t=${resetSeconds}`,
  });
  if (spent.isAllowed) return;
  throw new Problem('RATE_LIMITED', { headers: { 'retry-after': String(resetSeconds) } });
}
