import type { Database, Executor } from '#database/database.ts';
import { CURSOR_FAULTS, cutPage, type Page, readCursor, writeCursor } from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { Account } from './accounts/account.ts';
import { listStoredAccounts } from './accounts/account-store.ts';
import type { Merchant } from './merchant.ts';
import { type NamePlace, searchMerchants } from './merchant-list-store.ts';
import { findMerchant, type ListedMerchant } from './merchant-store.ts';
import { findMessageLimits, type MessageLimits } from './message-limits/message-limit-store.ts';
import { findNoticeEmail } from './notices/notice-store.ts';
import { findProfile } from './profile/find-profile.ts';
import type { MerchantProfile } from './profile/profile.ts';
import { findRefundsPerDay } from './refund-limit-store.ts';

/** A merchant with all that operators set. */
export interface MerchantSettings extends Merchant {
  readonly refundsPerDayCents: number;
  readonly messageLimits: MessageLimits;
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
    messageLimits: await findMessageLimits(db, id),
    profile: await findProfile(db, id),
    noticeEmail: await findNoticeEmail(db, id),
    accounts: await listStoredAccounts(db, id),
  };
}

interface MerchantsQuery {
  /** The cursor of the page before; null: the first page. */
  readonly cursor: string | null;
  readonly text: string;
  readonly limit: number;
}

/**
 * Merchants whose id or name matches a text, in the order of their names.
 *
 * @throws Problem VALIDATION_ERROR for a text that is no cursor
 */
export async function pageOfMerchants(
  db: Executor,
  { cursor, text, limit }: MerchantsQuery,
): Promise<Page<ListedMerchant>> {
  const after = cursor === null ? { id: '', name: '' } : readPlace(cursor);
  const found = await searchMerchants(db, { after, text, limit: limit + 1 });
  return cutPage(found, limit, ({ id, name }) => writeCursor(Buffer.from(`${id}\n${name}`)));
}

/** A cursor is the id, which has one line, and the name. */
function readPlace(cursor: string): NamePlace {
  const text = `${readCursor(cursor) ?? ''}`;
  const end = text.indexOf('\n');
  if (end < 0) throwFaults([CURSOR_FAULTS.NOT_A_CURSOR]);
  return { id: text.slice(0, end), name: text.slice(end + 1) };
}
