import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import {
  listUnmatched,
  type UnmatchedEntry,
} from '#e-transfer/bank-transfer/entries/list-unmatched.ts';
import { formatAmount } from '#lib/money.ts';
import { withBank } from './with-bank.ts';

/** An operator reads no more of them. */
const MOST_LISTED = 1_000;

/** `payreq bank unmatched`: entries of the last 30 days that are no money of this service. */
export function bankUnmatchedCommand(invocation: Invocation): Command {
  return new Command('unmatched')
    .description(
      'print the entries of the last 30 days that matched nothing, latest first, with the ' +
        'payer’s text; a text that nearly holds a reference names the payment request that ' +
        'may be meant',
    )
    .option('--search <text>', 'only those whose text, bank reference or amount holds it')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean; search?: string }, command: Command) => {
      const entries = await withBank(invocation, command, ({ db, secretsKey }) =>
        listUnmatched(db, secretsKey, { limit: MOST_LISTED, search: options.search ?? null }),
      );
      printResult(
        invocation,
        options,
        { entries: entries.map(toEntry) },
        inWords(entries, options.search !== undefined),
      );
    });
}

const signedAmount = ({ direction, amountCents }: UnmatchedEntry): string =>
  `${direction === 'CREDIT' ? '' : '-'}${formatAmount(amountCents)}`;

function toEntry(entry: UnmatchedEntry) {
  const { account, currency, bookingDate, bankReference, isBatchSum, fingerprint } = entry;
  const { text, suggestions } = entry;
  const amount = signedAmount(entry);
  const facts = { account, bookingDate, amount, currency, bankReference, isBatchSum, fingerprint };
  return { ...facts, text, suggestions };
}

function inWords(entries: readonly UnmatchedEntry[], isSearch: boolean): string[] {
  if (entries.length === 0) {
    return [isSearch ? 'No entry holds the text.' : 'Every entry of the last 30 days is matched.'];
  }
  return alignColumns(
    entries.map((entry) => [
      entry.bookingDate ?? '',
      entry.account,
      signedAmount(entry),
      entry.currency,
      entry.bankReference ?? '',
      entry.isBatchSum ? 'a batch without its payments' : (entry.text ?? ''),
      entry.suggestions.length > 0 ? `perhaps for ${entry.suggestions.join(', ')}` : '',
    ]),
  );
}
