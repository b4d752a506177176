/** The data with which a merchant shows itself, and the zone of its days; null: none is known. */
export interface MerchantProfile {
  readonly displayName: string | null;
  readonly supportEmail: string | null;
  /** The number in the spelling that people read. */
  readonly supportPhone: string | null;
  /** An HTTPS URL. */
  readonly website: string | null;
  /** `#rrggbb` */
  readonly accentColour: string | null;
  /** SHA-256 of the logo, in hexadecimal. */
  readonly logoHash: string | null;
  /** The IANA name of the zone of the merchant's days in the console. */
  readonly timeZone: string | null;
}

export type ProfileField = keyof MerchantProfile;

export const EMPTY_PROFILE: MerchantProfile = {
  displayName: null,
  supportEmail: null,
  supportPhone: null,
  website: null,
  accentColour: null,
  logoHash: null,
  timeZone: null,
};

/** The option of `payreq merchant set-profile` that sets each field. */
export const PROFILE_OPTIONS: Readonly<Record<ProfileField, string>> = {
  displayName: 'display-name',
  supportEmail: 'support-email',
  supportPhone: 'support-phone',
  website: 'website',
  accentColour: 'accent-colour',
  logoHash: 'logo',
  timeZone: 'time-zone',
};

/** The path below which logos lie. */
const LOGO_PATH = '/merchant-logos';

/** The path of a logo, by its hash behind the cell's mark; a route's pattern: `logoPath(':id')`. */
export function logoPath(id: string): string {
  return `${LOGO_PATH}/${id}.png`;
}
