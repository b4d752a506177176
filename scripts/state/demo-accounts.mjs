// The made accounts of BANK_DEMO=1, by the currency of the demo (bank-transfer §6): every program
// accepts them, and no shop has them. The IBAN is the example of its registry (ISO 13616).

/** @param {string} scheme @param {string} bank @param {string} number */
const without = (scheme, bank, number) => ['--scheme', scheme, '--bank', bank, '--number', number];

/** @type {Readonly<Record<string, readonly string[]>>} the options of `merchant set-account` */
export const DEMO_ACCOUNTS = {
  EUR: ['--holder', 'Demo Shop GmbH', '--iban', 'DE89370400440532013000'],
  CAD: [
    ...['--holder', 'Demo Shop Ltd.', ...without('CA', '999-12345', '1234567')],
    ...['--etransfer-address', 'pay@demo-shop.example'],
  ],
  USD: ['--holder', 'Demo Shop Inc.', ...without('US', '999999992', '123456789')],
  GBP: ['--holder', 'Demo Shop Ltd', ...without('GB', '99-99-99', '12345678')],
  AUD: ['--holder', 'Demo Shop Pty Ltd', ...without('AU', '999-999', '12345678')],
};

/** An account as BANK_SFTP_ACCOUNTS names it. @param {string} currency */
export function demoAccountOf(currency) {
  const [iban, scheme, bank, number] = ['--iban', '--scheme', '--bank', '--number'].map((name) => {
    const options = DEMO_ACCOUNTS[currency] ?? [];
    return options.includes(name) ? options[options.indexOf(name) + 1] : undefined;
  });
  return iban ?? [scheme, bank, number].join(':');
}

export const DEMO_CURRENCIES = Object.keys(DEMO_ACCOUNTS);
