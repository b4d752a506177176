/** Currencies with two decimals of countries with IBANs. Accounts in EUR exist in all of SEPA. */
const IBAN_CURRENCIES: ReadonlySet<string> = new Set(
  (
    'AED AZN BAM BGN BRL BYN CHF CRC CZK DKK DOP EGP EUR FKP GBP GEL GIP GTQ HNL ILS KZT ' +
    'MDL MKD MNT MRU MUR NIO NOK PLN QAR RON RSD RUB SAR SCR SDG SEK STN TRY UAH XCD'
  ).split(' '),
);

/** Whether accounts in the currency have IBANs: Canada and the United States have none. */
export function hasIbans(currency: string): boolean {
  return IBAN_CURRENCIES.has(currency);
}
