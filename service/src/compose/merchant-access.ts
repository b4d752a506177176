import { createAccess } from '#access/create-access.ts';
import { requireMerchant } from '#access/require-merchant.ts';
import type { TokenRoutesDeps } from '#access/token/routes.ts';
import { createFailureLimit } from '#rate-limits/failure-limit.ts';
import { limitMerchantCalls } from '#rate-limits/limit-merchant-calls.ts';
import { createMerchantBudget } from '#rate-limits/merchant-budget.ts';
import type { AppDeps } from '../app.ts';
import type { Foundation } from './foundation.ts';

/** Composes the token call and the check of every merchant's call, with their rate limits. */
export function composeAccess({
  config,
  db,
  clock,
  metrics,
}: Foundation): Pick<AppDeps, 'tokenCall' | 'requireMerchant'> {
  const access = createAccess({ ...config, db, clock, metrics });
  const budgets = {
    reads: createMerchantBudget({ db, clock, kind: 'reads', limit: config.rateLimitReads }),
    writes: createMerchantBudget({ db, clock, kind: 'writes', limit: config.rateLimitWrites }),
  };
  const tokenCall: TokenRoutesDeps = {
    ...access,
    tokenLimits: {
      budget: createMerchantBudget({ db, clock, kind: 'tokens', limit: config.rateLimitTokens }),
      failures: createFailureLimit({ clock, limit: config.rateLimitTokens }),
    },
  };
  return {
    tokenCall,
    requireMerchant: (...scopes) => limitMerchantCalls(requireMerchant(access, scopes), budgets),
  };
}
