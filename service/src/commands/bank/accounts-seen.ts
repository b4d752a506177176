import { tableOf } from '#commands/cli/align-columns.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { listSeenAccounts } from '#e-transfer/bank-transfer/entries/account-names-store.ts';

/** A person reads no more files. */
const MOST_FILES = 100;

/** `payreq bank accounts-seen`: how banks name their accounts (bank-connection §4). */
export const accountsSeen = defineCommand({
  summary:
    'print the accounts in files of 30 days that were refused, as none was ours: each as its ' +
    'bank writes it, for payreq merchant set-account --statement-id',
  options: {},
  async run({ db }) {
    const files = await listSeenAccounts(db, MOST_FILES);
    return {
      files: files.map(({ fileId, receivedAt, accounts }) => ({
        ...{ fileId, receivedDateTime: receivedAt.toISOString(), accounts },
      })),
    };
  },
  print: ({ files }) =>
    tableOf(
      'No file was refused for its accounts.',
      ['RECEIVED', 'ACCOUNT AND BANK'],
      files.flatMap(({ receivedDateTime, accounts }) =>
        accounts.map((account) => [receivedDateTime.slice(0, 16), account]),
      ),
    ),
});
