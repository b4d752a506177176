import type { Executor, Statement } from '#database/database.ts';

/** One version of a merchant's account, as stored. */
export interface StoredAccount {
  readonly id: string;
  readonly version: number;
  readonly holder: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly createdAt: Date;
  /** null: the merchant's current account. */
  readonly replacedAt: Date | null;
  /** null: the bank has not closed it. */
  readonly closedAt: Date | null;
}

const COLUMNS = `id::text, version, holder, iban, bic, created_at AS "createdAt",
           replaced_at AS "replacedAt", closed_at AS "closedAt"`;

const FIND_CURRENT: Statement = {
  name: 'account-find-current',
  text: `SELECT ${COLUMNS} FROM creditor_accounts
         WHERE merchant_id = $1 AND replaced_at IS NULL`,
};

/** @returns the merchant's current account; null: it has none */
export async function findCurrentStoredAccount(
  db: Executor,
  merchantId: string,
): Promise<StoredAccount | null> {
  const [row] = await db.query<StoredAccount>(FIND_CURRENT, [merchantId]);
  return row ?? null;
}
