import type { Executor, Statement } from '#database/database.ts';
import { allRows, execute, firstRowOrNull, hasRows } from '#database/statements.ts';
import type { Account, AccountDetails } from './account.ts';

const COLUMNS = `id::text, version, holder, account_number AS "accountNumber", bic, address,
           etransfer_address AS "etransferAddress", created_at AS "createdAt",
           (SELECT k.statement_id FROM creditor_account_keys k
            WHERE k.key = creditor_accounts.key) AS "statementId",
           replaced_at AS "replacedAt", closed_at AS "closedAt"`;

/** Waits for another transaction that takes the account at this moment. */
const TAKE_KEY: Statement = {
  name: 'account-take-key',
  text: `INSERT INTO creditor_account_keys (key, merchant_id) VALUES ($1, $2)
         ON CONFLICT (key) DO NOTHING`,
};

const FIND_OWNER: Statement = {
  name: 'account-find-owner',
  text: 'SELECT merchant_id AS "merchantId" FROM creditor_account_keys WHERE key = $1',
};

const REPLACE_CURRENT: Statement = {
  name: 'account-replace-current',
  text: `UPDATE creditor_accounts SET replaced_at = $2
         WHERE merchant_id = $1 AND replaced_at IS NULL`,
};

const INSERT: Statement = {
  name: 'account-insert',
  text: `INSERT INTO creditor_accounts
           (id, merchant_id, version, holder, account_number, bic, address, etransfer_address,
            created_at)
         SELECT $1, $2, 1 + coalesce(max(version), 0), $3, $4, $5, $6, $7, $8
         FROM creditor_accounts WHERE merchant_id = $2
         RETURNING ${COLUMNS}`,
};

/** @returns the version that payers see from now on; null: the merchant has no account */
export const findNewestAccount = firstRowOrNull<Account, [merchantId: string]>(
  'account-find-current',
  `SELECT ${COLUMNS} FROM creditor_accounts
   WHERE merchant_id = $1 AND replaced_at IS NULL`,
);

/** Every version of a merchant's account, the oldest first. */
export const listStoredAccounts = allRows<Account, [merchantId: string]>(
  'account-list',
  `SELECT ${COLUMNS} FROM creditor_accounts WHERE merchant_id = $1 ORDER BY version`,
);

/**
 * Gives an account to a merchant for ever, unless it has a merchant already.
 *
 * @returns the merchant that has the account
 */
export async function takeKey(tx: Executor, key: string, merchantId: string): Promise<string> {
  await tx.query(TAKE_KEY, [key, merchantId]);
  const [owner] = await tx.query<{ merchantId: string }>(FIND_OWNER, [key]);
  return owner?.merchantId ?? merchantId;
}

/** @returns whether no other account has the text in the bank's statements */
export const keepStatementId = hasRows<[key: string, statementId: string | null]>(
  'account-keep-statement-id',
  `UPDATE creditor_account_keys SET statement_id = $2
   WHERE key = $1 AND NOT EXISTS (SELECT FROM creditor_account_keys other
     WHERE other.statement_id = $2 AND other.key <> $1)
   RETURNING key`,
);

/** Writes the next version, in the place of the current one. The merchant's row must be locked. */
export async function insertVersion(
  tx: Executor,
  merchantId: string,
  version: AccountDetails & Pick<Account, 'id' | 'createdAt'>,
): Promise<Account> {
  const { id, holder, accountNumber, bic, address, etransferAddress, createdAt } = version;
  await tx.query(REPLACE_CURRENT, [merchantId, createdAt]);
  const values = [id, merchantId, holder, accountNumber, bic, address, etransferAddress, createdAt];
  const [account] = await tx.query<Account>(INSERT, values);
  if (!account) throw new Error('the new version of the account was not written');
  return account;
}

export const closeVersion = execute<[merchantId: string, version: number, closedAt: Date]>(
  'account-close',
  `UPDATE creditor_accounts SET closed_at = $3
   WHERE merchant_id = $1 AND version = $2 AND closed_at IS NULL`,
);
