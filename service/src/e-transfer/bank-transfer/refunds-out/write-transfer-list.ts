import { hasScheme, parseAccount } from '#lib/bank/account-number.ts';
import { csvForm } from '#lib/csv.ts';
import { formatAmount } from '#lib/money.ts';
import type { CreditTransfer, PaymentFile } from './write-pain001.ts';

/**
 * A list of transfers for a person, as CSV: no payment file can name their banks (bank-connection
 * §4). The person copies the reference of each line into its transfer.
 */
export function writeTransferList({ transfers, currency, debtor }: PaymentFile): string {
  const { header, lineOf } = csvForm<CreditTransfer>({
    reference: ({ listReference }) => listReference,
    amount: ({ amountCents }) => ({ decimal: formatAmount(amountCents) }),
    currency: () => currency,
    name: ({ creditor }) => creditor.name,
    scheme: ({ creditor }) =>
      hasScheme(creditor.account) ? parseAccount(creditor.account).scheme : null,
    bank: ({ creditor }) => parseAccount(creditor.account).bank || null,
    number: ({ creditor }) => parseAccount(creditor.account).number,
    message: ({ message }) => message,
    from: () => debtor.account,
  });
  return header + transfers.map(lineOf).join('');
}
