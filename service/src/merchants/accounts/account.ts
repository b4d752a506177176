/** The data that an operator gives of an account. */
export interface AccountDetails {
  /** The account holder's name: banks compare it and warn the payer. */
  readonly holder: string;
  /** The text that payers type: an IBAN in electronic form, or `SCHEME:bank:number`. */
  readonly accountNumber: string;
  readonly bic: string | null;
  /** The name of an account without an IBAN in statements; null: they have number and bank. */
  readonly statementId: string | null;
  /** An Interac address with Autodeposit; payers see it once a proof of it has arrived. */
  readonly etransferAddress: string | null;
  /** A Swiss QR-bill must name it; null: it was not given. */
  readonly address: HolderAddress | null;
}

/** The account holder's postal address. */
export interface HolderAddress {
  /** With its number; null: the place has none. */
  readonly street: string | null;
  readonly postalCode: string;
  readonly town: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
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
