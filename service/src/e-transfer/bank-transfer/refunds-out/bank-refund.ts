/** A payer's account, to which money goes back. */
export interface RefundCreditor {
  readonly name: string | null;
  /** Electronic form. */
  readonly iban: string;
}

/** The id without dashes: at most 35 characters fit. */
export const endToEndIdOf = (refundId: string): string => refundId.replaceAll('-', '');

const END_TO_END_ID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The id of the refund, if the text is one without dashes; banks may change the case. */
export function refundIdOf(endToEndId: string): string | null {
  const match = END_TO_END_ID.exec(endToEndId.trim().toLowerCase());
  return match ? match.slice(1).join('-') : null;
}

/** The euro alone: pain.001 for SEPA is written, and nothing else. */
export const canRefundIn = (currency: string): boolean => currency === 'EUR';
