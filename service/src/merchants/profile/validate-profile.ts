import { isHexColour } from '#lib/text-forms.ts';
import { timeZoneOf } from '#lib/zones/time-zone.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { findWeakContrast, LEAST_CONTRAST } from './contrast.ts';
import { PROFILE_OPTIONS, type ProfileField } from './profile.ts';

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

/** Reads a value of a profile. Throws OperatorFault, which names the option. */
export function readProfileText(field: ProfileText, text: string): string {
  const value = text.trim();
  const fault = READERS[field](value);
  if (fault) throw new OperatorFault(`--${PROFILE_OPTIONS[field]}: ${fault}`);
  if (field === 'timeZone') return timeZoneOf(value) ?? value;
  return field === 'accentColour' ? value.toLowerCase() : value;
}

const READERS: Readonly<Record<ProfileText, (value: string) => string | null>> = {
  displayName(value) {
    if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) {
      return 'control characters and marks of direction are not allowed.';
    }
    const isFine = value !== '' && [...value].length <= LONGEST.displayName;
    return isFine ? null : `give 1 to ${LONGEST.displayName} characters.`;
  },
  supportEmail(value) {
    const isFine =
      value.length <= LONGEST.supportEmail &&
      /^[\w.!#$*+/=?^`{|}~-]+@[a-z\d-]+(\.[a-z\d-]+)+$/i.test(value);
    return isFine ? null : 'give an e-mail address, as in help@shop.example.';
  },
  supportPhone(value) {
    const digits = value.replace(/\D/g, '').length;
    const isFine =
      /^\+?[\d ().-]+$/.test(value) &&
      value.length <= LONGEST.supportPhone &&
      digits >= FEWEST_DIGITS &&
      digits <= MOST_DIGITS;
    return isFine ? null : 'give a telephone number, as in +1 416 555 0199.';
  },
  website(value) {
    const url = value.length <= LONGEST.website && URL.canParse(value) ? new URL(value) : null;
    const isFine =
      url?.protocol === 'https:' &&
      url.username === '' &&
      url.password === '' &&
      /^https:\/\/[^\s\\<>"]+$/i.test(value);
    return isFine ? null : 'give an https:// URL without a user name, as in https://shop.example.';
  },
  timeZone: (value) =>
    timeZoneOf(value) ? null : `give an IANA time zone such as America/Toronto, not "${value}".`,
  accentColour(value) {
    if (!isHexColour(value)) return 'give a colour as #rrggbb, as in #2f7d4f.';
    const weak = findWeakContrast(value.toLowerCase());
    if (!weak) return null;
    return (
      `${value} has a contrast of ${weak.ratio}:1 on the ${weak.scheme} pages; the least is ` +
      `${LEAST_CONTRAST}:1, on light and on dark pages. ${weak.suggestion} is a shade that passes.`
    );
  },
};
