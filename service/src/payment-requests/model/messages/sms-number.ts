/** The longest number of any country (ITU-T E.164). */
const MOST_DIGITS = 15;

/**
 * The number to which an SMS goes, as `+15145550142`.
 *
 * @param countryCode `SMS_COUNTRY_CODE`, for a number without `+`; empty: it has none
 * @returns null for a number without a country
 */
export function smsNumber(mobileNumber: string, countryCode: string): string | null {
  const own = mobileNumber.replace(/\D/g, '');
  const digits = mobileNumber.startsWith('+') ? own : countryCode && countryCode + own;
  return digits === '' || digits.length > MOST_DIGITS ? null : `+${digits}`;
}
