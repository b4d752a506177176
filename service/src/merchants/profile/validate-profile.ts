import { timeZoneOf } from '#lib/zones/time-zone.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { findWeakContrast, LEAST_CONTRAST } from './contrast.ts';
import { PROFILE_OPTIONS, type ProfileField } from './profile.ts';

/** The length that a payer's page shows in one line, as of a registered name. */
const LONGEST_NAME = 100;
const LONGEST_EMAIL = 254;
const LONGEST_PHONE = 30;
const LONGEST_URL = 2_048;
/** Digits of a telephone number (E.164), and of a short one that a country knows. */
const [FEWEST_DIGITS, MOST_DIGITS] = [7, 15];

/** The fields that are texts; the logo is a file. */
export type ProfileText = Exclude<ProfileField, 'logoHash'>;

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
    const isFine = value !== '' && [...value].length <= LONGEST_NAME;
    return isFine ? null : `give 1 to ${LONGEST_NAME} characters.`;
  },
  supportEmail(value) {
    const isFine =
      value.length <= LONGEST_EMAIL &&
      /^[\w.!#$*+/=?^`{|}~-]+@[a-z\d-]+(\.[a-z\d-]+)+$/i.test(value);
    return isFine ? null : 'give an e-mail address, as in help@shop.example.';
  },
  supportPhone(value) {
    const digits = value.replace(/\D/g, '').length;
    const isFine =
      /^\+?[\d ().-]+$/.test(value) &&
      value.length <= LONGEST_PHONE &&
      digits >= FEWEST_DIGITS &&
      digits <= MOST_DIGITS;
    return isFine ? null : 'give a telephone number, as in +1 416 555 0199.';
  },
  website(value) {
    const url = value.length <= LONGEST_URL && URL.canParse(value) ? new URL(value) : null;
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
    if (!/^#[\da-f]{6}$/i.test(value)) return 'give a colour as #rrggbb, as in #2f7d4f.';
    const weak = findWeakContrast(value.toLowerCase());
    if (!weak) return null;
    return (
      `${value} has a contrast of ${weak.ratio}:1 on the ${weak.scheme} pages; the least is ` +
      `${LEAST_CONTRAST}:1, on light and on dark pages. ${weak.suggestion} is a shade that passes.`
    );
  },
};
