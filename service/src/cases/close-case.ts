import { type SettleDeps, type SettledCase, settleCase } from './settle-case.ts';

/**
 * Closes a case that a person has settled elsewhere. Moves no money.
 *
 * @throws OperatorFault as `settleCase`
 */
export function closeCase(deps: SettleDeps, id: string, note: string): Promise<SettledCase> {
  const options = { settlement: 'CLOSED', target: null, note } as const;
  return settleCase(deps, id, options, async () => ({ outcome: 'CLOSED', publish() {} }));
}
