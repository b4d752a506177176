import type { Executor, Statement } from '#database/database.ts';
import { allRows, execute, firstRowOrNull } from '#database/statements.ts';
import type { Account, AccountDetails } from './account.ts';

const COLUMNS = `id::text, version, holder, iban, bic, address, created_at AS "createdAt",
           replaced_at AS "replacedAt", closed_at AS "closedAt"`;

/** Waits for another transaction that takes the IBAN at this moment. */
const TAKE_IBAN: Statement = {
  name: 'account-take-iban',
  text: `INSERT INTO creditor_ibans (iban, merchant_id) VALUES ($1, $2)
         ON CONFLICT (iban) DO NOTHING`,
};

const FIND_OWNER: Statement = {
  name: 'account-find-owner',
  text: 'SELECT merchant_id AS "merchantId" FROM creditor_ibans WHERE iban = $1',
};

const REPLACE_CURRENT: Statement = {
  name: 'account-replace-current',
  text: `UPDATE creditor_accounts SET replaced_at = $2
         WHERE merchant_id = $1 AND replaced_at IS NULL`,
};

const INSERT: Statement = {
  name: 'account-insert',
  text: `INSERT INTO creditor_accounts
           (id, merchant_id, version, holder, iban, bic, address, created_at)
         SELECT $1, $2, 1 + coalesce(max(version), 0), $3, $4, $5, $6, $7
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
 * Gives an IBAN to a merchant for ever, unless it has a merchant already.
 *
 * @returns the merchant that has the IBAN
 */
export async function takeIban(tx: Executor, iban: string, merchantId: string): Promise<string> {
  await tx.query(TAKE_IBAN, [iban, merchantId]);
  const [owner] = await tx.query<{ merchantId: string }>(FIND_OWNER, [iban]);
  return owner?.merchantId ?? merchantId;
}

/** Writes the next version, in the place of the current one. The merchant's row must be locked. */
export async function insertVersion(
  tx: Executor,
  merchantId: string,
  { id, holder, iban, bic, address, createdAt }: AccountDetails & Pick<Account, 'id' | 'createdAt'>,
): Promise<Account> {
  await tx.query(REPLACE_CURRENT, [merchantId, createdAt]);
  const values = [id, merchantId, holder, iban, bic, address, createdAt];
  const [account] = await tx.query<Account>(INSERT, values);
  if (!account) throw new Error('the new version of the account was not written');
  return account;
}

export const closeVersion = execute<[merchantId: string, version: number, closedAt: Date]>(
  'account-close',
  `UPDATE creditor_accounts SET closed_at = $3
   WHERE merchant_id = $1 AND version = $2 AND closed_at IS NULL`,
);
