import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import {
  listUnmatchedEntries,
  type UnmatchedEntry,
} from '#e-transfer/bank-transfer/entries/unmatched-store.ts';
import { formatAmount } from '#lib/money.ts';
import { withBank } from './with-bank.ts';

/** An operator reads no more of them. */
const MOST_LISTED = 1_000;

/** `payreq bank unmatched`: entries of the last 30 days that are no money of this service. */
export function bankUnmatchedCommand(invocation: Invocation): Command {
  return new Command('unmatched')
    .description('print the entries of the last 30 days that matched nothing, latest first')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }, command: Command) => {
      const entries = await withBank(invocation, command, ({ db }) =>
        listUnmatchedEntries(db, MOST_LISTED),
      );
      printResult(invocation, options, { entries: entries.map(toEntry) }, inWords(entries));
    });
}

const signedAmount = ({ direction, amountCents }: UnmatchedEntry): string =>
  `${direction === 'CREDIT' ? '' : '-'}${formatAmount(amountCents)}`;

function toEntry(entry: UnmatchedEntry) {
  const { account, currency, bookingDate, bankReference, isBatchSum, fingerprint } = entry;
  const amount = signedAmount(entry);
  return { account, bookingDate, amount, currency, bankReference, isBatchSum, fingerprint };
}

function inWords(entries: readonly UnmatchedEntry[]): string[] {
  if (entries.length === 0) return ['Every entry of the last 30 days is matched.'];
  return alignColumns(
    entries.map((entry) => [
      entry.bookingDate ?? '',
      entry.account,
      signedAmount(entry),
      entry.currency,
      entry.bankReference ?? '',
      entry.isBatchSum ? 'a batch without its payments' : '',
    ]),
  );
}
