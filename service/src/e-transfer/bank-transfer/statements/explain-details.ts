export interface WholeEntry {
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  /** The charges that the entry states for itself. */
  readonly chargeCents: number;
}

export interface StatedDetail {
  /** null: none in the account's currency, or money in the other direction. */
  readonly amountCents: number | null;
  readonly chargeCents: number;
}

export interface ExplainedDetails {
  /** In the details' order. */
  readonly details: readonly { readonly amountCents: number; readonly feeCents: number }[];
  /** Charges that the entry alone states. */
  readonly entryFeeCents: number;
}

/**
 * The amounts of details that add up to their entry. The bank's charges may be the difference,
 * where it states exactly these: it takes them from money that comes, and adds them to money that
 * leaves.
 *
 * @returns null where the details do not add up: nothing tells which amount belongs to which
 */
export function explainDetails(
  entry: WholeEntry,
  details: readonly StatedDetail[],
): ExplainedDetails | null {
  const amounts = details.flatMap(({ amountCents }) => amountCents ?? []);
  if (amounts.length === 0 || amounts.length < details.length) return null;
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const feeCents = entry.direction === 'CREDIT' ? sum - entry.amountCents : entry.amountCents - sum;
  const withFees = (fees: readonly number[]) => ({
    details: amounts.map((amountCents, n) => ({ amountCents, feeCents: fees[n] ?? 0 })),
    entryFeeCents: feeCents - fees.reduce((total, fee) => total + fee, 0),
  });
  if (feeCents === 0) return withFees([]);
  const charges = details.map(({ chargeCents }) => chargeCents);
  const inDetails = charges.reduce((total, cents) => total + cents, 0);
  if (feeCents < 0 || charges.some((cents) => cents < 0)) return null;
  if (feeCents === inDetails || feeCents === inDetails + entry.chargeCents)
    return withFees(charges);
  return feeCents === entry.chargeCents ? withFees([]) : null;
}
