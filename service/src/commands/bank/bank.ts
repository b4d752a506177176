import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineNoun, defineTool } from '#commands/cli/define-command.ts';
import { argument, option } from '#commands/cli/inputs.ts';
import type { ShellSettings } from '#commands/cli/with-deployment.ts';
import { type NetworkDeployment, withNetwork } from '#commands/cli/with-network.ts';
import { NAMED_NETWORKS, networkNamed } from '#compose/networks.ts';
import {
  listUnmatched,
  type UnmatchedEntry,
} from '#e-transfer/bank-transfer/entries/list-unmatched.ts';
import { processFile } from '#e-transfer/bank-transfer/files/process-files.ts';
import { readWholeFile } from '#e-transfer/bank-transfer/files/read-whole-file.ts';
import { processDepsOf } from '#e-transfer/bank-transfer/process-deps.ts';
import { StatementFault } from '#e-transfer/bank-transfer/statements/statement-fault.ts';
import { formatAmount } from '#lib/money.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { accountsSeen } from './accounts-seen.ts';
import { connectionCommand } from './connection.ts';
import { demoPay } from './demo-pay.ts';
import { etransferProof } from './etransfer-proof.ts';
import { paymentFileCommand } from './payment-file.ts';
import { reconcile } from './reconcile.ts';
import { refunds } from './refunds.ts';

/** `payreq bank import`: one file, to its end; the folder is neither used nor checked. */
const imported = defineTool({
  summary: 'take one file of a bank: read it, match its money, and report the result',
  options: { file: argument('the path of a camt.052, camt.053, camt.054 or pain.002 file') },
  async run({ file }, shell) {
    const bytes = await readBytes(file);
    return withBank(shell, ({ bank, surroundings }) =>
      processFile(processDepsOf(surroundings, bank), bytes),
    );
  },
  print(outcome) {
    if (outcome.isRefused) {
      return [
        `Refused: ${outcome.reason}`,
        'Nothing of the file counts. Its bytes are kept, encrypted.',
      ];
    }
    return outcome.isNew
      ? 'Imported and matched.'
      : 'The file was imported before: nothing has changed.';
  },
  fails: ({ isRefused }) => isRefused,
});

async function readBytes(path: string): Promise<Buffer> {
  try {
    return (await readWholeFile(path)).bytes;
  } catch (error) {
    if (error instanceof StatementFault) throw new OperatorFault(error.message);
    const { code = 'not a regular file' } = error as NodeJS.ErrnoException;
    throw new OperatorFault(`The file cannot be read (${code}).`);
  }
}

/** An operator reads no more of them. */
const MOST_LISTED = 1_000;

const unmatched = defineTool({
  summary:
    'print the entries of the last 30 days that matched nothing, latest first, with the ' +
    'payer’s text; a text that nearly holds a reference names the payment request that ' +
    'may be meant',
  options: {
    search: option('<text>', 'only those whose text, bank reference or amount holds it'),
  },
  run: ({ search }, shell) =>
    withBank(shell, async ({ db, secretsKey }) => {
      const entries = await listUnmatched(db, secretsKey, { limit: MOST_LISTED, search });
      return { entries: entries.map(toEntry) };
    }),
  print({ entries }, { search }) {
    if (entries.length === 0) {
      return search === null
        ? 'Every entry of the last 30 days is matched.'
        : 'No entry holds the text.';
    }
    return alignColumns(
      entries.map((entry) => [
        entry.bookingDate ?? '',
        entry.account,
        entry.amount,
        entry.currency,
        entry.bankReference ?? '',
        entry.isBatchSum ? 'a batch without its payments' : (entry.text ?? ''),
        entry.suggestions.length > 0 ? `perhaps for ${entry.suggestions.join(', ')}` : '',
      ]),
    );
  },
});

function toEntry(entry: UnmatchedEntry) {
  const { account, currency, bookingDate, bankReference, isBatchSum, fingerprint } = entry;
  const { text, suggestions, direction, amountCents } = entry;
  const amount = `${direction === 'CREDIT' ? '' : '-'}${formatAmount(amountCents)}`;
  const facts = { account, bookingDate, amount, currency, bankReference, isBatchSum, fingerprint };
  return { ...facts, text, suggestions };
}

/** `payreq bank`: every command about bank files. */
export const bankCommand = defineNoun(
  'bank statements and payment files of the bank-transfer network',
  {
    import: imported,
    unmatched,
    accountsSeen,
    refunds,
    reconcile,
    connection: connectionCommand,
    paymentFile: paymentFileCommand,
    etransferProof,
    demoPay,
  },
);

/**
 * Runs a command's work on bank files, with the same parts that `payreq serve` has.
 *
 * @throws OperatorFault where the deployment has another network
 */
function withBank<Result>(
  shell: ShellSettings,
  work: (bank: NetworkDeployment) => Promise<Result>,
): Promise<Result> {
  return withNetwork(shell, (deployment) => {
    if (networkNamed(deployment.eTransferNetwork)?.statements) return work(deployment);
    const names = NAMED_NETWORKS.flatMap(([name, { statements }]) => (statements ? [name] : []));
    throw new OperatorFault(
      `This deployment has no bank: E_TRANSFER_NETWORK is not ${names.join(' or ')}.`,
    );
  });
}
