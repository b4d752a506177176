import { readAmount } from './read-values.ts';
import { elementAt, elementsAt, textAt, type XmlElement } from './xml-element.ts';

/** The `Chrgs` of an entry or a detail; only their amounts are read, once the currency is known. */
export const chargesIn = (element: XmlElement): readonly XmlElement[] =>
  elementsAt(element, ['Chrgs']);

/**
 * The charges in cents: the total that the bank states, else the sum of its records. Charges in
 * another currency explain nothing.
 */
export function sumCharges(charges: readonly XmlElement[], currency: string): number {
  const centsOf = (amount: XmlElement | null): number =>
    amount?.attributes.Ccy === currency ? readAmount(amount).amountCents : 0;
  const total = charges.flatMap((each) => elementAt(each, 'TtlChrgsAndTaxAmt') ?? []);
  if (total.length > 0) return total.reduce((sum, each) => sum + centsOf(each), 0);
  // The second version writes the record into Chrgs itself.
  const records = charges.flatMap((each) => [each, ...elementsAt(each, ['Rcrd'])]);
  return records.reduce((sum, record) => {
    const sign = textAt(record, 'CdtDbtInd') === 'CRDT' ? -1 : 1;
    return sum + sign * centsOf(elementAt(record, 'Amt'));
  }, 0);
}
