import { isDeepStrictEqual } from 'node:util';
import type { Executor } from '#database/database.ts';
import {
  type AccountNumber,
  accountKeyOf,
  domesticOf,
  parseAccount,
  shownAccount,
} from '#lib/bank/account-number.ts';
import { newId } from '#lib/new-id.ts';
import { type AuditedDeps, insertAuditEntry } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { noticeMerchant } from '#merchants/notices/notice-merchant.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import type { Account, AccountDetails } from './account.ts';
import {
  closeVersion,
  findNewestAccount,
  insertVersion,
  keepStatementId,
  listStoredAccounts,
  takeKey,
} from './account-store.ts';
import { type AccountInput, readAccount } from './read-account.ts';

export interface SetAccount {
  readonly account: Account;
  /** false: the merchant has this account already, and no version was written. */
  readonly isNew: boolean;
}

/**
 * Sets the account to which payers of a merchant transfer money: a new version. Open payment
 * requests keep the version that they show (bank-transfer §1). An account belongs to one merchant
 * for ever, because money for old payment requests still arrives on it.
 *
 * @throws OperatorFault for an unknown merchant, an invalid value, and another merchant's account
 */
export function setAccount(
  { db, clock, actor }: AuditedDeps,
  merchantId: string,
  input: AccountInput,
): Promise<SetAccount> {
  const details = readAccount(input);
  return db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    const current = await findNewestAccount(tx, merchantId);
    if (current !== null && isSame(current, details)) return { account: current, isNew: false };
    await takeAccount(tx, details, merchantId);
    const occurredAt = clock.now();
    const { address, etransferAddress, statementId, ...given } = details;
    const version = { ...details, id: newId(), createdAt: occurredAt };
    const account = await insertVersion(tx, merchantId, version);
    const [number, previous] = [account.accountNumber, current?.accountNumber ?? null];
    await noticeMerchant(tx, { kind: 'ACCOUNT_CHANGED', merchantId, number, previous });
    await insertAuditEntry(tx, {
      actor,
      action: 'MERCHANT_ACCOUNT_CHANGED',
      merchantId,
      // Payers' pages show the same. The chain of the log proves which account was set, and when.
      details: {
        version: account.version,
        ...given,
        ...(address && { address }),
        ...(etransferAddress && { etransferAddress }),
        ...(statementId && { statementId }),
        ...(current && { before: { version: current.version, accountNumber: previous } }),
      },
      occurredAt,
    });
    return { account, isNew: true };
  });
}

/**
 * Locks a merchant, and with it the versions of its account.
 *
 * @returns the newest version; null: the merchant has no account
 * @throws OperatorFault for an unknown merchant
 */
export async function lockNewestAccount(tx: Executor, merchantId: string): Promise<Account | null> {
  await lockKnownMerchant(tx, merchantId);
  return findNewestAccount(tx, merchantId);
}

/**
 * Notes that the bank has closed an account: new payment requests do not show it, and refunds leave
 * from the current one (bank-transfer §5). A repetition changes nothing.
 *
 * @throws OperatorFault for an unknown merchant or version
 */
export function closeAccount(
  { db, clock, actor }: AuditedDeps,
  merchantId: string,
  version: number,
): Promise<Account> {
  return db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    const accounts = await listStoredAccounts(tx, merchantId);
    const account = accounts.find((each) => each.version === version);
    if (!account) {
      throw new Refusal('account.version', { version });
    }
    if (account.closedAt !== null) return account;
    const closedAt = clock.now();
    await closeVersion(tx, merchantId, version, closedAt);
    const entry = { actor, action: 'MERCHANT_ACCOUNT_CLOSED', merchantId } as const;
    await insertAuditEntry(tx, { ...entry, details: { version }, occurredAt: closedAt });
    return { ...account, closedAt };
  });
}

/**
 * Lists every version of a merchant's account, the oldest first.
 *
 * @throws OperatorFault for an unknown merchant
 */
export function listAccounts({ db }: Pick<AuditedDeps, 'db'>, merchantId: string) {
  return db.transaction(async (tx) => {
    await lockKnownMerchant(tx, merchantId);
    return listStoredAccounts(tx, merchantId);
  });
}

/** A closed account is set again by a new version: the bank has reopened it. */
function isSame(current: Account, details: AccountDetails): boolean {
  return current.closedAt === null && isDeepStrictEqual({ ...current, ...details }, current);
}

async function takeAccount(
  tx: Executor,
  { accountNumber, statementId }: AccountDetails,
  merchantId: string,
): Promise<void> {
  const account = parseAccount(accountNumber);
  const key = accountKeyOf(account);
  const nameOf = (each: AccountNumber) => accountKeyOf(domesticOf(each));
  const option = account.scheme === 'IBAN' ? 'iban' : 'number';
  // A British account has two names, and both are the merchant's.
  for (const each of new Set([key, nameOf(account)])) {
    const owner = await takeKey(tx, each, merchantId);
    if (owner === merchantId) continue;
    throw new Refusal('account.owner', { option, owner });
  }
  const named = (await listStoredAccounts(tx, merchantId)).find((each) => {
    const known = parseAccount(each.accountNumber);
    return nameOf(known) === nameOf(account) && known.scheme !== account.scheme;
  });
  if (named) {
    // Money would arrive under one name, and payment requests show the other.
    throw new Refusal('account.twice', { option, account: shownAccount(named.accountNumber) });
  }
  if (!(await keepStatementId(tx, key, statementId))) {
    throw new Refusal('account.statementIdTaken');
  }
}
