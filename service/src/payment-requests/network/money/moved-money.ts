import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import type { Plan } from '#payment-requests/model/plan-change.ts';

/** Whether a plan writes money taken back; a repeated report writes none. */
export function isReturn({ entries }: Plan): boolean {
  return entries.some(({ type }) => type === 'RETURN');
}

/** Whether money came or went and the payment request is not simply PAID with it. */
export function changesMoney({ changes, operatorCases, entries }: Plan): boolean {
  const hasMoney = operatorCases.length > 0 || entries.length > 0;
  return hasMoney && !changes.some(({ transition }) => transition?.to === 'PAID');
}

/** The cents that the return of a plan takes back. */
export function returnedCents({ entries }: Plan): number {
  return entries
    .filter(({ type }) => type === 'RETURN')
    .reduce((sum, { amountCents }) => sum - amountCents, 0);
}

/** The network references of the movements that an outcome takes back. */
export function undoneBy(outcome: NetworkOutcome): string[] {
  if (outcome.state !== 'RETURNED' || outcome.returnedReference === null) return [];
  return [outcome.returnedReference];
}
