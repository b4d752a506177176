import { type Action, ruleOf } from './access-matrix.ts';
import type { Grant } from './roles.ts';

/** The merchants for which a person may do an action; null: all merchants, for an operator. */
export function merchantsWithAction(
  grants: readonly Grant[],
  action: Action,
): readonly string[] | null {
  const { roles } = ruleOf(action);
  const counting = grants.filter(({ role }) => roles.includes(role));
  if (counting.some(({ merchantId }) => merchantId === null)) return null;
  return [...new Set(counting.flatMap(({ merchantId }) => merchantId ?? []))];
}
