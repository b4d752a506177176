import { isHexColour } from '#lib/text-forms.ts';
import { timeZoneOf } from '#lib/zones/time-zone.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { findWeakContrast, LEAST_CONTRAST } from './contrast.ts';
import type { ProfileField } from './profile.ts';

/** Digits of a telephone number (E.164), and of a short one that a country knows. */
const [FEWEST_DIGITS, MOST_DIGITS] = [7, 15];

/** The fields that are texts; the logo is a file. */
export type ProfileText = Exclude<ProfileField, 'logoHash'>;

/** The most characters: a payer's page shows a name in one line, as a registered one. */
export const LONGEST_PROFILE_TEXTS = {
  displayName: 100,
  supportEmail: 254,
  supportPhone: 30,
  website: 2_048,
  accentColour: 7,
} as const;
const LONGEST = LONGEST_PROFILE_TEXTS;

/** Reads a value of a profile. @throws Refusal that names the option */
export function readProfileText(field: ProfileText, text: string): string {
  const value = text.trim();
  CHECKS[field](value);
  if (field === 'timeZone') return timeZoneOf(value) ?? value;
  return field === 'accentColour' ? value.toLowerCase() : value;
}

const CHECKS: Readonly<Record<ProfileText, (value: string) => void>> = {
  displayName(value) {
    if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) {
      throw new Refusal('profile.control');
    }
    const isFine = value !== '' && [...value].length <= LONGEST.displayName;
    if (!isFine) throw new Refusal('profile.displayName', { most: LONGEST.displayName });
  },
  supportEmail(value) {
    const isFine =
      value.length <= LONGEST.supportEmail &&
      /^[\w.!#$*+/=?^`{|}~-]+@[a-z\d-]+(\.[a-z\d-]+)+$/i.test(value);
    if (!isFine) throw new Refusal('profile.supportEmail');
  },
  supportPhone(value) {
    const digits = value.replace(/\D/g, '').length;
    const isFine =
      /^\+?[\d ().-]+$/.test(value) &&
      value.length <= LONGEST.supportPhone &&
      digits >= FEWEST_DIGITS &&
      digits <= MOST_DIGITS;
    if (!isFine) throw new Refusal('profile.supportPhone');
  },
  website(value) {
    const url = value.length <= LONGEST.website && URL.canParse(value) ? new URL(value) : null;
    const isFine =
      url?.protocol === 'https:' &&
      url.username === '' &&
      url.password === '' &&
      /^https:\/\/[^\s\\<>"]+$/i.test(value);
    if (!isFine) throw new Refusal('profile.website');
  },
  timeZone(value) {
    if (!timeZoneOf(value)) throw new Refusal('profile.timeZone', { value });
  },
  accentColour(value) {
    if (!isHexColour(value)) throw new Refusal('profile.accentColour');
    const weak = findWeakContrast(value.toLowerCase());
    if (weak) throw new Refusal('profile.contrast', { value, ...weak, least: LEAST_CONTRAST });
  },
};
