import type { Executor } from '#database/database.ts';
import { EMPTY_PROFILE, type MerchantProfile } from './profile.ts';
import { findStoredLogo, findStoredProfile } from './profile-store.ts';

/** The profile of a merchant; empty where no operator has set one. */
export async function findProfile(db: Executor, merchantId: string): Promise<MerchantProfile> {
  return (await findStoredProfile(db, merchantId)) ?? EMPTY_PROFILE;
}

/** The logo of a hash in hexadecimal; null where no profile has it. */
export async function findLogo(db: Executor, hash: string): Promise<Buffer | null> {
  return /^[0-9a-f]{64}$/.test(hash) ? findStoredLogo(db, hash) : null;
}
