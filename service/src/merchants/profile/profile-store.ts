import { execute, firstRow, firstValue } from '#database/statements.ts';
import type { MerchantProfile } from './profile.ts';

const SELECT = `SELECT display_name AS "displayName", support_email AS "supportEmail",
     support_phone AS "supportPhone", website, accent_colour AS "accentColour",
     encode(logo_hash, 'hex') AS "logoHash", time_zone AS "timeZone"
   FROM merchant_profiles`;

export const findStoredProfile = firstRow<MerchantProfile, [merchantId: string]>(
  'merchant-profile-find',
  `${SELECT} WHERE merchant_id = $1`,
);

/** The profile of the merchant `m` of a statement as JSON; NULL where no operator has set one. */
export const PROFILE = `(SELECT row_to_json(f) FROM (${SELECT} WHERE merchant_id = m.id) f)`;

export const saveProfile = execute(
  'merchant-profile-save',
  `INSERT INTO merchant_profiles (merchant_id, display_name, support_email, support_phone,
     website, accent_colour, logo_hash, time_zone)
   VALUES ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)
   ON CONFLICT (merchant_id) DO UPDATE SET display_name = excluded.display_name,
     support_email = excluded.support_email, support_phone = excluded.support_phone,
     website = excluded.website, accent_colour = excluded.accent_colour,
     logo_hash = excluded.logo_hash, time_zone = excluded.time_zone,
     updated_at = service_now()`,
  (merchantId: string, profile: MerchantProfile) => {
    const { displayName, supportEmail, supportPhone, website, accentColour } = profile;
    const texts = [displayName, supportEmail, supportPhone, website, accentColour];
    return [merchantId, ...texts, profile.logoHash, profile.timeZone];
  },
);

/** Writes a logo that is there already as it is, so that no other transaction deletes it. */
export const saveLogo = execute<[hash: string, png: Buffer]>(
  'merchant-logo-save',
  `INSERT INTO merchant_logos (hash, png) VALUES (decode($1, 'hex'), $2)
   ON CONFLICT (hash) DO UPDATE SET png = excluded.png`,
);

/** Deletes a logo unless a profile names it. */
export const deleteUnusedLogo = execute<[hash: string]>(
  'merchant-logo-delete-unused',
  `DELETE FROM merchant_logos WHERE hash = decode($1, 'hex')
   AND NOT EXISTS (SELECT FROM merchant_profiles WHERE logo_hash = decode($1, 'hex'))`,
);

export const findStoredLogo = firstValue<Buffer | null, [hash: string]>(
  'merchant-logo-find',
  `SELECT png FROM merchant_logos WHERE hash = decode($1, 'hex')`,
  null,
);
