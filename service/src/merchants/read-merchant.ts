import type { Database } from '#database/database.ts';
import type { Account } from './accounts/account.ts';
import { listStoredAccounts } from './accounts/account-store.ts';
import type { Merchant } from './merchant.ts';
import { searchMerchants } from './merchant-list-store.ts';
import { findMerchant, type ListedMerchant } from './merchant-store.ts';
import { findNoticeEmail } from './notices/notice-store.ts';
import { findProfile } from './profile/find-profile.ts';
import type { MerchantProfile } from './profile/profile.ts';
import { findRefundsPerDay } from './refund-limit-store.ts';

/** A merchant with all that operators set. */
export interface MerchantSettings extends Merchant {
  readonly refundsPerDayCents: number;
  readonly profile: MerchantProfile;
  readonly noticeEmail: string | null;
  /** Every version, the oldest first. */
  readonly accounts: readonly Account[];
}

/** A merchant with all that operators set; null: there is no such merchant. */
export async function readMerchant(db: Database, id: string): Promise<MerchantSettings | null> {
  const merchant = await findMerchant(db, id);
  if (!merchant) return null;
  return {
    ...merchant,
    refundsPerDayCents: await findRefundsPerDay(db, id),
    profile: await findProfile(db, id),
    noticeEmail: await findNoticeEmail(db, id),
    accounts: await listStoredAccounts(db, id),
  };
}

/** A screen or two; the next page is a click away. */
const PAGE_SIZE = 50;

export interface MerchantPage {
  readonly merchants: readonly ListedMerchant[];
  /** null: this is the last page. */
  readonly nextCursor: string | null;
}

/** Merchants whose id or name matches a text, in the order of their ids. */
export async function pageOfMerchants(
  db: Database,
  { cursor, text }: { readonly cursor: string | null; readonly text: string },
): Promise<MerchantPage> {
  const after = cursor ?? '';
  const found = await searchMerchants(db, { after, text, limit: PAGE_SIZE + 1 });
  const merchants = found.slice(0, PAGE_SIZE);
  const isLast = found.length <= PAGE_SIZE;
  return { merchants, nextCursor: isLast ? null : (merchants.at(-1)?.id ?? null) };
}
