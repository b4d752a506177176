/** The data that an operator gives of an account. */
export interface AccountDetails {
  /** The account holder's name: banks compare it and warn the payer. */
  readonly holder: string;
  /** Electronic form: capital letters and digits. */
  readonly iban: string;
  readonly bic: string | null;
}

/** A version of a merchant's account. Payment requests keep the version that they show. */
export interface Account extends AccountDetails {
  readonly id: string;
  readonly version: number;
  readonly createdAt: Date;
  /** null: the merchant's current account. */
  readonly replacedAt: Date | null;
  /** null: the bank has not closed it. */
  readonly closedAt: Date | null;
}
