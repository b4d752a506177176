/** Everything that a QR code of a credit transfer can hold. */
export interface Transfer {
  /** The account holder: banks compare the name with the account and warn the payer. */
  readonly holder: string;
  /** Electronic form, as the reference. */
  readonly iban: string;
  readonly bic: string | null;
  readonly amountCents: number;
  readonly reference: string;
  /** The holder's postal address, which a Swiss QR-bill must have; null: unknown. */
  readonly address: HolderAddress | null;
}

export interface HolderAddress {
  readonly street: string | null;
  readonly postalCode: string;
  readonly town: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
}

/**
 * A text as one field of a payload: a line break or another control character would begin a field,
 * and let a name change the account. At most `longest` characters.
 */
export function fieldOf(text: string, longest: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [...line].slice(0, longest).join('').trim();
}
