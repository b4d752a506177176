import { createHash } from 'node:crypto';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { findProfile } from './find-profile.ts';
import { type MerchantProfile, PROFILE_OPTIONS, type ProfileField } from './profile.ts';
import { deleteUnusedLogo, saveLogo, saveProfile } from './profile-store.ts';
import { type ProfileText, readProfileText } from './validate-profile.ts';

/** The size of a file that pages load beside 15 kB of HTML and style. */
export const LARGEST_LOGO_BYTES = 32 * 1_024;

export interface ProfileChange {
  readonly merchantId: string;
  readonly texts: Partial<Readonly<Record<ProfileText, string>>>;
  /** The bytes of a PNG file. */
  readonly logo: Buffer | null;
  /** The options whose values are removed, as in `support-phone`. */
  readonly remove: readonly string[];
}

export interface SetProfile extends MerchantProfile {
  readonly merchantId: string;
  /** The registered name, which pages show beside the display name. */
  readonly name: string;
}

/**
 * Changes the data with which a merchant shows itself to payers. Payers rely on it against forged
 * requests: only operators change it, after they have checked that it is the merchant's own.
 *
 * @returns the profile from now on
 * @throws OperatorFault for an unknown merchant and for an invalid value, which it names
 */
export async function setProfile(
  { db, clock, actor }: AuditedDeps,
  { merchantId, texts, logo, remove }: ProfileChange,
): Promise<SetProfile> {
  const changes = readChanges(texts, remove);
  const png = logo && (await readLogo(logo));
  const logoHash = png && createHash('sha256').update(png).digest('hex');
  if (logoHash && 'logoHash' in changes) throw bothOf('logoHash');
  return db.transaction(async (tx) => {
    const { name } = await lockKnownMerchant(tx, merchantId);
    const before = await findProfile(tx, merchantId);
    const profile = { ...before, ...changes, ...(logoHash && { logoHash }) };
    const changed = (Object.keys(PROFILE_OPTIONS) as ProfileField[]).filter(
      (field) => profile[field] !== before[field],
    );
    if (changed.length > 0) {
      if (png && logoHash) await saveLogo(tx, logoHash, png);
      await saveProfile(tx, merchantId, profile);
      const isReplaced = before.logoHash !== null && before.logoHash !== profile.logoHash;
      if (isReplaced) await deleteUnusedLogo(tx, before.logoHash);
      await recordAct(tx, { clock, actor }, 'MERCHANT_PROFILE_CHANGED', merchantId, {
        ...Object.fromEntries(changed.map((field) => [field, profile[field]])),
        before: Object.fromEntries(changed.map((field) => [field, before[field]])),
      });
    }
    return { merchantId, name, ...profile };
  });
}

/** Validates a profile before there is a merchant. @throws OperatorFault as `setProfile` */
export async function checkProfile({
  texts,
  logo,
}: Pick<ProfileChange, 'texts' | 'logo'>): Promise<void> {
  readChanges(texts, []);
  if (logo) await readLogo(logo);
}

function readChanges(
  texts: ProfileChange['texts'],
  remove: readonly string[],
): Partial<MerchantProfile> {
  const read = Object.entries(texts).map(([field, text]) => [
    field,
    readProfileText(field as ProfileText, text),
  ]);
  const changes: Partial<Record<ProfileField, string | null>> = Object.fromEntries(read);
  for (const option of remove) {
    const field = fieldOf(option);
    if (field in changes) throw bothOf(field);
    changes[field] = null;
  }
  return changes;
}

function fieldOf(option: string): ProfileField {
  const found = Object.entries(PROFILE_OPTIONS).find(([, name]) => name === option);
  if (found) return found[0] as ProfileField;
  const names = Object.values(PROFILE_OPTIONS).join(', ');
  throw new Refusal('profile.remove', { option, names });
}

function bothOf(field: ProfileField): Refusal {
  return new Refusal('profile.both', { option: PROFILE_OPTIONS[field] });
}

async function readLogo(file: Buffer): Promise<Buffer> {
  if (file.length > LARGEST_LOGO_BYTES) {
    throw new Refusal('logo.bytes', { most: LARGEST_LOGO_BYTES / 1_024 });
  }
  // Logos are rare, and the decoder is 20 modules.
  const { rewritePng } = await import('./read-png.ts');
  return rewritePng(file);
}
