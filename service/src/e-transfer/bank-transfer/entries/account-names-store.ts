import { allRows, execute, valuesOf } from '#database/statements.ts';

/** An account of ours without an IBAN that a statement may mean. */
export interface NamedAccount {
  readonly key: string;
  readonly bic: string | null;
  /** Exactly as the bank's statements write it; null: by number and bank. */
  readonly statementId: string | null;
}

/** Accounts without an IBAN by the text of statements, by their number, or by their key. */
export const findNamedAccounts = allRows<
  NamedAccount,
  [names: { texts: readonly string[]; numbers: readonly string[]; keys: readonly string[] }]
>(
  'bank-accounts-find-named',
  `SELECT k.key, k.statement_id AS "statementId",
     (SELECT a.bic FROM creditor_accounts a WHERE a.key = k.key
      ORDER BY a.version DESC LIMIT 1) AS bic
   FROM creditor_account_keys k
   WHERE k.statement_id = ANY ($1::text[]) OR k.bare_number = ANY ($2::text[])
     OR k.key = ANY ($3::text[])`,
  valuesOf('texts', 'numbers', 'keys'),
);

/** Keeps the accounts of a file that is refused for them, for `payreq bank accounts-seen`. */
export const keepSeenAccounts = execute<[fileId: string, accounts: readonly string[]]>(
  'bank-file-keep-seen-accounts',
  'UPDATE bank_files SET seen_accounts = $2 WHERE id = $1',
);

export interface SeenAccounts {
  readonly fileId: string;
  readonly receivedAt: Date;
  /** The texts of the file, each with the codes of its bank in brackets. */
  readonly accounts: readonly string[];
}

/** Files of 30 days that were refused, as no account in them is ours; the newest first. */
export const listSeenAccounts = allRows<SeenAccounts, [most: number]>(
  'bank-files-list-seen-accounts',
  `SELECT id::text AS "fileId", received_at AS "receivedAt", seen_accounts AS accounts
   FROM bank_files WHERE state = 'REFUSED' AND seen_accounts IS NOT NULL
     AND received_at > service_now() - interval '30 days'
   ORDER BY received_at DESC LIMIT $1`,
);

/** The numbers may be those of accounts of others: they go with their list. */
export const pruneSeenAccounts = execute(
  'bank-files-prune-seen-accounts',
  `UPDATE bank_files SET seen_accounts = NULL
   WHERE seen_accounts IS NOT NULL AND received_at <= service_now() - interval '30 days'`,
);
