import type { StoredFile } from './file-store.ts';

/** A person reads no more of them. */
const MOST_NAMED = 5;

/** Why a file is refused, or counts in part; null: all of it counts. */
export function reasonOf({ reason, withheld }: Pick<StoredFile, 'reason' | 'withheld'>) {
  return withheld === null ? reason : withheldSentence(withheld);
}

/** The way out for accounts of ours that the sender of a file may not bring. */
export function withheldSentence(accounts: readonly string[]): string {
  const named = accounts.slice(0, MOST_NAMED).map((account) => `…${account.slice(-4)}`);
  const more = accounts.length > named.length ? ` and ${accounts.length - named.length} more` : '';
  return (
    `Entries of account ${named.join(', ')}${more} do not count: neither BANK_SFTP_ACCOUNTS of ` +
    'the connection nor the token that brought the file names it. Ask the bank, then import the ' +
    'file with payreq bank import, or name the account there and have the file brought again.'
  );
}
