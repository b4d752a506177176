/**
 * The most parts of one transfer. Each part is a locked payment request in one transaction, and a
 * person writes each: a payer who settles more invoices sends a list, and one transfer for each.
 */
export const MOST_PARTS = 20;

/** The share of a payment request in a transfer for several. */
export interface MoneyPart {
  readonly paymentRequestId: string;
  readonly amountCents: number;
}

/** The network reference of a part: that of the whole and the place of the part, from 1. */
export function partReference(networkReference: string, place: number): string {
  return `${networkReference}/${place}`;
}

/** Every reference under which the whole of a part can stand, the reference itself first. */
export function wholesOf(networkReference: string): string[] {
  const found = [networkReference];
  let rest = networkReference;
  while (/\/\d+$/.test(rest)) {
    rest = rest.slice(0, rest.lastIndexOf('/'));
    found.push(rest);
  }
  return found;
}
