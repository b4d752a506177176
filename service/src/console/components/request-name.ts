import type { Visit } from '#console/shell/visit.ts';
import type { NamedRequest } from '#payment-requests/lookup/search-payment-requests.ts';

/** A payment request as people know it: payer and invoice, where it has them. Plain text. */
export function requestName(
  { id, payer, invoiceNumber }: Pick<NamedRequest, 'id' | 'payer' | 'invoiceNumber'>,
  mayName = true,
): string {
  const known = [mayName && payer.name, invoiceNumber].filter(Boolean);
  return known.length > 0 ? known.join(' · ') : `${id.slice(0, 8)}…${id.slice(-4)}`;
}

/** On pages about cases, operators who settle none see no payer. */
export function mayNamePayer({ merchant, can }: Pick<Visit, 'merchant' | 'can'>): boolean {
  return merchant !== null || can('operator.cases.settle');
}
